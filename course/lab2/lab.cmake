course_lab(2)
