# SPDX-License-Identifier: MIT
add_behaviour(filtered_start slow filtered.py)
