package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.Segments;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

class TableCheckTest
{
    private static final int CREDITS = 4;
    private static final int MESSAGE_LENGTH = 256;

    private static final Superblock SUPERBLOCK = FakeServer.SUPERBLOCK;

    private final TestMemory memory = new TestMemory();
    private final RegisteredBuffer table = memory.buffer(SuperblockDescriptor.LENGTH);
    private final RegisteredBuffer space = memory.buffer(SuperblockDescriptor.LENGTH);

    /** READs the beginning of the table. */
    private final class Reader implements RegionReader
    {
        @Override
        public void enqueue(
            final int shard,
            final long tableOffset,
            final long length,
            final RegisteredBuffer target,
            final long targetOffset)
        {
            UnsafeApi.copyMemory(table.addressOf(tableOffset, length), target.addressOf(targetOffset, length), length);
        }

        @Override
        public void complete()
        {
            // Each READ was carried out as it came.
        }
    }

    @BeforeEach
    void write()
    {
        SUPERBLOCK.write(table.range().address());
    }

    @AfterEach
    void free()
    {
        memory.close();
    }

    private BootstrapConnection.Welcome welcome(final long life, final long table, final int shards)
    {
        return new BootstrapConnection.Welcome(
            new SessionIdentity(life, 1, 2, 3), false, table, ServedShards.all(shards), CREDITS, MESSAGE_LENGTH,
            1 << 20, 1000, false, 1 << 20, 1, "none", 0, false, true);
    }

    private BootstrapConnection.Welcome welcome()
    {
        return welcome(SUPERBLOCK.serverLife(), SUPERBLOCK.tableId(), 1);
    }

    private static Segments segments(final long length)
    {
        return new Segments(List.of(new Segments.Segment(0, length, 1 << 20, 1)));
    }

    private Kind refused(final BootstrapConnection.Welcome welcome, final Segments segments)
    {
        return assertThrows(AttachFailedException.class,
            () -> TableCheck.read(new Reader(), segments, space, welcome)).kind();
    }

    @Test
    void shouldTakeTheTableThatWasAnnounced() throws AttachFailedException
    {
        assertEquals(SUPERBLOCK, TableCheck.read(
            new Reader(), segments(SUPERBLOCK.regionLength()), space, welcome()));
    }

    @Test
    void shouldTryAgainWhereTheTableIsAnother()
    {
        final Segments all = segments(SUPERBLOCK.regionLength());
        final long life = SUPERBLOCK.serverLife();
        final long table = SUPERBLOCK.tableId();

        assertEquals(Kind.TRANSIENT, refused(welcome(life + 1, table, 1), all));
        assertEquals(Kind.TRANSIENT, refused(welcome(life, table + 1, 1), all));
        assertEquals(Kind.TRANSIENT, refused(welcome(life, table, 2), all));
    }

    @Test
    void shouldGiveUpWhereMemoryIsMissing()
    {
        assertEquals(Kind.PERMANENT, refused(welcome(), segments(SuperblockDescriptor.LENGTH - 1)));
    }

    @Test
    void shouldGiveUpWhereThereIsNoSuperblock()
    {
        UnsafeApi.setMemory(null, table.range().address(), SuperblockDescriptor.LENGTH, (byte)0);

        assertEquals(Kind.PERMANENT, refused(welcome(), segments(SUPERBLOCK.regionLength())));
    }
}
