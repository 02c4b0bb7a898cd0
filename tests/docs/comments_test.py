"""What a comment of a header says, taken apart."""

import unittest

import comments  # of scripts/docs

LOCK = """Mutual exclusion of tasks: `co_await m.lock()`. Cheap.

- Order: the waiter that has waited longest
  is next.
- Cancellation: a dropped wait leaves the queue.

An example:

    auto guard = co_await m.lock();

More."""


class Comments(unittest.TestCase):
    def test_facts_are_taken_out_of_the_text(self):
        said = comments.parsed(LOCK)
        self.assertEqual(said.facts, [("Order", "the waiter that has waited longest\nis next."),
                                      ("Cancellation", "a dropped wait leaves the queue.")])
        self.assertNotIn("Order", said.text)
        self.assertIn("    auto guard = co_await m.lock();", said.text)
        self.assertTrue(said.text.endswith("More."))

    def test_the_first_sentence_ends_where_the_next_begins(self):
        self.assertEqual(comments.parsed(LOCK).sentence, "Mutual exclusion of tasks: `co_await m.lock()`.")
        self.assertEqual(comments.parsed("Reads (e.g. a file).").sentence, "Reads (e.g. a file).")
        self.assertEqual(comments.parsed("").sentence, "")

    def test_ordinary_lists_stay_in_the_text(self):
        self.assertEqual(comments.parsed("One of:\n- a file\n- a socket").facts, [])

    def test_what_dropping_does_is_said_by_a_fact_or_a_sentence(self):
        self.assertEqual(comments.about_dropping(LOCK), "a dropped wait leaves the queue.")
        self.assertEqual(comments.about_dropping("Awaited: reads. Dropped: no byte is lost. Throws."), "no byte is lost.")
        self.assertEqual(comments.about_dropping("Dropping it drops what it awaits."), "Dropping it drops what it awaits.")
        self.assertIsNone(comments.about_dropping("Waits until it is cancelled."))


if __name__ == "__main__":
    unittest.main()
