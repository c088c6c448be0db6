package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;

/**
 * A remedy for a finding.
 *
 * @param what     to do, in words.
 * @param commands command lines, or lines for a file; may be empty.
 */
record Advice(String what, List<String> commands)
{
    static Advice of(final String what, final String... commands)
    {
        return new Advice(what, List.of(commands));
    }
}
