course_lab(4 THREADS)
