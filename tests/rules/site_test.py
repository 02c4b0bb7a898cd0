from sample import RuleTest
from tree_rules import site


class Site(RuleTest):
    rule = site

    def test_links_to_what_is_there_and_elsewhere_are_fine(self):
        self.assert_clean({
            "site/index.html": '<a href="/"></a><a href="#top"></a><img src="/a.svg"><a href="https://example.org/">\n',
            "site/a.svg": "",
        })

    def test_a_link_to_what_is_not_there_is_flagged(self):
        self.assert_flagged({"site/index.html": '<p>\n<img src="/b.svg">\n'}, "site/index.html", 2, "/b.svg")

    def test_a_relative_link_is_flagged(self):
        self.assert_flagged({"site/index.html": '<img src="a.svg">\n', "site/a.svg": ""}, "site/index.html", 1, "begin with")
