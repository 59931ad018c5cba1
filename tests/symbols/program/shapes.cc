// SPDX-License-Identifier: MIT
// shapes.cc: C++: namespaces, templates, virtual functions, lambdas, exceptions, the library's own templates.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace geometry {
namespace {
double square(double value) { return value * value; }
}
template <typename number> struct point {
    number x, y;
    point operator+(const point &other) const { return {x + other.x, y + other.y}; }
    number length2() const { return x * x + y * y; }
};
class shape {
public:
    explicit shape(std::string name) : name_(std::move(name)) {}
    virtual ~shape() = default;
    virtual double area() const = 0;
    const std::string &name() const { return name_; }
private:
    std::string name_;
};
class circle : public shape {
public:
    circle(double radius) : shape("circle"), radius_(radius) { if (radius < 0) throw std::invalid_argument("radius"); }
    double area() const override { return 3.14159265 * square(radius_); }
private:
    double radius_;
};
class polygon : public shape {
public:
    explicit polygon(std::vector<point<double>> points) : shape("polygon"), points_(std::move(points)) {}
    double area() const override
    {
        double sum = 0;
        for (std::size_t i = 0; i < points_.size(); i++) {
            const auto &a = points_[i], &b = points_[(i + 1) % points_.size()];
            sum += a.x * b.y - b.x * a.y;
        }
        return sum / 2;
    }
private:
    std::vector<point<double>> points_;
};
}

template <typename key, typename value, typename function> void each(const std::map<key, value> &map, function call)
{
    for (const auto &[k, v] : map)
        call(k, v);
}

static std::map<std::string, int> count_words(const std::string &text)
{
    std::map<std::string, int> count;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        ++count[word];
    return count;
}

int main()
{
    std::vector<std::unique_ptr<geometry::shape>> shapes;
    shapes.push_back(std::make_unique<geometry::circle>(2.0));
    shapes.push_back(std::make_unique<geometry::polygon>(std::vector<geometry::point<double>>{{0, 0}, {4, 0}, {4, 3}}));
    try {
        shapes.push_back(std::make_unique<geometry::circle>(-1.0));
    } catch (const std::exception &error) {
        std::cout << "refused: " << error.what() << '\n';
    }
    std::sort(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) { return a->area() < b->area(); });
    struct printer {
        std::ostringstream out;
        void print(const geometry::shape &shape) { out << shape.name() << ' ' << shape.area() << '\n'; }
    } printer;
    for (const auto &shape : shapes)
        printer.print(*shape);
    std::cout << printer.out.str() << (geometry::point<int>{1, 2} + geometry::point<int>{3, 4}).length2() << '\n';
    std::function<void(const std::string &, int)> show = [](const std::string &word, int times) { std::cout << word << '=' << times << '\n'; };
    std::vector<geometry::point<double>> points;
    for (int i = 0; i < 50; ++i)
        points.push_back({i * 0.5, (i * 7) % 11 * 1.0});
    std::sort(points.begin(), points.end(), [](auto a, auto b) { return a.length2() < b.length2(); });
    std::stable_sort(points.begin(), points.end(), [](auto a, auto b) { return a.y < b.y; });
    auto low = std::partition(points.begin(), points.end(), [](auto p) { return p.x < 10; });
    std::cout << low - points.begin() << '\n';
    each(count_words("one two two three three three"), show);
}
