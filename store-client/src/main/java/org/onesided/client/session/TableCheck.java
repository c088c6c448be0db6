package org.onesided.client.session;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.PERMANENT;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.TRANSIENT;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.Segments;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Checks that the table in the server's memory is the one that the server announced.
 */
final class TableCheck
{
    private TableCheck()
    {
    }

    /**
     * READs and checks the superblock.
     *
     * @param space   room for it, from the start of which it is afterwards.
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
        reader.read(welcome.served().first(), 0, SuperblockDescriptor.LENGTH, space, 0);
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
        return superblock;
    }
}
