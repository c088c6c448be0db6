package org.onesided.tools.kvctl.cluster;

import org.onesided.tools.kvctl.console.Figures;

/**
 * A replica of a partition, or its leadership, that goes from one member to another.
 *
 * @param partition its number.
 * @param from      number of the member that has it.
 * @param to        number of the member that is to get it.
 */
record Move(int partition, long from, long to)
{
    /** For programs. */
    Figures figures()
    {
        return new Figures().add("partition", partition).add("from", from).add("to", to);
    }

    /** For people. */
    String text()
    {
        return "partition=" + partition + " from=" + from + " to=" + to;
    }
}
