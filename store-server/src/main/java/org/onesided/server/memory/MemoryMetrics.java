package org.onesided.server.memory;

/**
 * How a table's memory stands.
 *
 * @param segments  there are.
 * @param committed bytes of them.
 * @param limit     most bytes of them.
 * @param used      bytes that cannot be handed out: index, records, and what is kept beside them.
 * @param retired   bytes of split buckets and cleared heaps that wait until no client READs them any more.
 * @param released  bytes of those that were given back since the start.
 * @param mark      the highest of 80, 90 and 95 percent of the limit that is used, 0 for none.
 * @param refusals  how often the system refused more.
 */
public record MemoryMetrics(
    int segments, long committed, long limit, long used, long retired, long released, int mark, long refusals)
{
}
