course_lab(1)
