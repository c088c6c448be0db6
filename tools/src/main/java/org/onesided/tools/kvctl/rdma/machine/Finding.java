package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;

/**
 * What a check found.
 *
 * @param level  how bad it is.
 * @param topic  what was looked at, in a word or two.
 * @param text   what was found, in one line.
 * @param advice what to do about it; empty if nothing.
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
