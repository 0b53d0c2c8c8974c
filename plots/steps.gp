# SPDX-License-Identifier: MIT
# A run's steps along an axis. `steps` is the list of their names, in order, without those before the context.
# Names come from a file: they are never put into a command.

names_ = " "
stats data using (name_ = strcol("step"), \
	strstrt(" start init none".names_, " ".name_." ") ? 0 : (names_ = names_.name_." "), 0) nooutput

# Samples differ in their steps: the latest place that a step has in any of them puts it behind the others.
places_ = ""
do for [i_=1:words(names_)] {
	eval measure("place", 'if_row(strcol("step") eq word(names_, i_), column("step_index"))')
	places_ = places_.sprintf(" %.0f", place_max)
}
eval measure("place", 'column("step_index")')
steps = ""
do for [place_=0:place_max] {
	do for [i_=1:words(names_)] {
		if (int(word(places_, i_)) == place_) { steps = steps." ".word(names_, i_) }
	}
}

# Where a step is along the axis, 0 for one that is not there.
place(step) = sum [i_=1:words(steps)] (word(steps, i_) eq step ? i_ : 0)
# Names are read from below, so there is to be room for them: eval room_for_steps after begin().
room_for_steps(height) = sprintf("panel_bottom = panel_bottom + 78.0 / %f", height)
