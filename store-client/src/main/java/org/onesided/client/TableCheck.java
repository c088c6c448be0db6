package org.onesided.client;

import static org.onesided.client.AttachFailedException.Kind.PERMANENT;
import static org.onesided.client.AttachFailedException.Kind.TRANSIENT;

import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Checks that what a session attaches to is what the server announced: the table in its memory, and the limits of a
 * session that is resumed.
 */
final class TableCheck
{
    private TableCheck()
    {
    }

    /**
     * READs and checks the superblock.
     *
     * @param space   room for it.
     * @param welcome that announced the table.
     * @throws AttachFailedException if there is no table that this client understands, or it is another one.
     */
    static Superblock read(
        final RegionReader reader,
        final Segments segments,
        final RegisteredBuffer space,
        final BootstrapConnection.Welcome welcome) throws AttachFailedException
    {
        if (!segments.contains(0, SuperblockDescriptor.LENGTH))
        {
            throw new AttachFailedException(PERMANENT, "server's table has no superblock", null);
        }
        reader.read(0, 0, SuperblockDescriptor.LENGTH, space, 0);
        final Superblock superblock;
        try
        {
            superblock = Superblock.read(space.addressOf(0, SuperblockDescriptor.LENGTH));
        }
        catch (final IllegalArgumentException e)
        {
            throw new AttachFailedException(
                PERMANENT, "server's table cannot be understood: " + e.getMessage(), e);
        }
        if (superblock.serverLife() != welcome.identity().serverLife() ||
            superblock.tableId() != welcome.tableId() ||
            superblock.shards().size() != welcome.shards())
        {
            throw new AttachFailedException(TRANSIENT, "server's table is not the one that it announced", null);
        }
        if (!segments.contains(0, superblock.regionLength()))
        {
            throw new AttachFailedException(PERMANENT, "server's table is not all in its registered memory", null);
        }
        return superblock;
    }

    /**
     * Checks that the requests of a session that was resumed fit what the server allows now.
     *
     * @throws AttachFailedException if they do not.
     */
    static void checkLimits(final RequestSlots slots, final BootstrapConnection.Welcome welcome)
        throws AttachFailedException
    {
        if (slots.shards() != welcome.shards() || slots.credits() != welcome.credits() ||
            slots.messageLength() != welcome.messageLength())
        {
            throw new AttachFailedException(
                TRANSIENT, "server resumed the session with other limits than it had", null);
        }
    }
}
