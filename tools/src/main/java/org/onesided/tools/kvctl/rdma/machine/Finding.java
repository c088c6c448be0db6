package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;

/**
 * The result of a check.
 *
 * @param level  severity.
 * @param topic  in a word or two.
 * @param text   the result, in one line.
 * @param advice remedies; empty if none is needed.
 */
record Finding(Level level, String topic, String text, List<Advice> advice)
{
    static Finding pass(final String topic, final String text)
    {
        return new Finding(Level.PASS, topic, text, List.of());
    }

    static Finding warn(final String topic, final String text, final Advice... advice)
    {
        return new Finding(Level.WARN, topic, text, List.of(advice));
    }

    static Finding fail(final String topic, final String text, final Advice... advice)
    {
        return new Finding(Level.FAIL, topic, text, List.of(advice));
    }

    static Finding skip(final String topic, final String text)
    {
        return new Finding(Level.SKIP, topic, text, List.of());
    }
}
