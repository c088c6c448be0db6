package org.onesided.tools.kvctl.cluster;

import org.onesided.tools.kvctl.console.Figures;

/**
 * A replica of a partition, or its leadership, that goes from one member to another; or a replica that is added.
 *
 * @param partition its number.
 * @param from      number of the member that has it; 0 if another one gets it, too.
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
        return "partition=" + partition + (from == 0 ? " added=" : " from=" + from + " to=") + to;
    }
}
