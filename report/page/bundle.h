/* SPDX-License-Identifier: MIT */
/* bundle.h: the page's script and style, as report/web/build.js made them. */
#ifndef PROFPLUG_BUNDLE_H
#define PROFPLUG_BUNDLE_H

extern const char bundle_script[], bundle_script_end[];
extern const char bundle_style[], bundle_style_end[];

#endif
