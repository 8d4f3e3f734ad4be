"""LangChain's and Deep Agents' documented human-in-the-loop, played through Slack's cards to the end.

One deployment for each of three agents: the real bot, worker and clock. The test carries the case's number.

    1   archive, then delete: one approved, one rejected   test_approve_and_reject.py
    2   the same, all calls in one question                test_own_gates.py
    3   an edit that is refused, then corrected            test_edit_and_respond.py
    4   respond in a tool's place                          test_edit_and_respond.py
    5   three calls, answered one by one                   test_approve_and_reject.py
    6   `when` on paths                                    test_when.py
    7   `when` on queries                                  test_when.py
    8   `when` on recipients                               test_when.py
    9   a question to the person, answered in the thread   test_edit_and_respond.py
    10  several rounds                                     test_approve_and_reject.py
    11  approve, edit and reject in one turn               test_edit_and_respond.py
    12  a deep agent                                       test_deep_agents.py
    13  an edit in a deep agent                            test_deep_agents.py
    14  a subagent with rules of its own                   test_deep_agents.py
    15  a compiled subagent that asks inside a tool        test_deep_agents.py
    16  a permission on files                              test_deep_agents.py
    17  an agent's own gate                                test_own_gates.py
    18  words before the pause, and no second card         test_words_on_the_way.py
    19  nobody answers                                     test_silence_and_restart.py
    20  a restart while it waits                           test_silence_and_restart.py
"""
