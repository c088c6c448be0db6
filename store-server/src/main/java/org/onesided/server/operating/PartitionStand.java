package org.onesided.server.operating;

import org.onesided.server.cluster.ReignMetrics;

/**
 * How this member of a cluster stands with a partition that it leads.
 *
 * @param partition its number.
 * @param reign     of this member.
 */
public record PartitionStand(int partition, ReignMetrics reign)
{
}
