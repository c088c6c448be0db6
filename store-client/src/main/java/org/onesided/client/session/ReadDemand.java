package org.onesided.client.session;

/**
 * What the READs of a session ask of each of its attachments.
 *
 * @param depth      READs under way at a time, to one shard; fewer where the devices allow fewer.
 * @param space      bytes of registered memory, with room for a superblock.
 * @param batchSpace bytes of registered memory that is made when it is first asked for.
 */
public record ReadDemand(int depth, long space, long batchSpace)
{
}
