package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.AttachFailedException.Kind;
import org.onesided.protocol.table.SuperblockDescriptor;

class TableCheckTest
{
    private static final int CREDITS = 4;
    private static final int MESSAGE_LENGTH = 256;

    private final TestRegion region = new TestRegion();
    private final RegisteredBuffer space = region.buffer(SuperblockDescriptor.LENGTH);

    @BeforeEach
    void write()
    {
        region.superblock.write(region.address);
    }

    @AfterEach
    void free()
    {
        region.close();
    }

    private BootstrapConnection.Welcome welcome(final long life, final long table, final int shards)
    {
        return new BootstrapConnection.Welcome(
            new SessionIdentity(life, 1, 2, 3), false, table, shards, CREDITS, MESSAGE_LENGTH, 1 << 20, 1000, false);
    }

    private BootstrapConnection.Welcome welcome()
    {
        return welcome(region.superblock.serverLife(), region.superblock.tableId(), 1);
    }

    private static Segments segments(final long length)
    {
        return new Segments(List.of(new Segments.Segment(0, length, 1 << 20, 1)));
    }

    private Kind refused(final BootstrapConnection.Welcome welcome, final Segments segments)
    {
        return assertThrows(AttachFailedException.class,
            () -> TableCheck.read(new ScriptedReader(region), segments, space, welcome)).kind();
    }

    @Test
    void shouldTakeTheTableThatWasAnnounced() throws AttachFailedException
    {
        assertEquals(region.superblock, TableCheck.read(
            new ScriptedReader(region), segments(region.superblock.regionLength()), space, welcome()));
    }

    @Test
    void shouldTryAgainWhereTheTableIsAnother()
    {
        final Segments all = segments(region.superblock.regionLength());
        final long life = region.superblock.serverLife();
        final long table = region.superblock.tableId();

        assertEquals(Kind.TRANSIENT, refused(welcome(life + 1, table, 1), all));
        assertEquals(Kind.TRANSIENT, refused(welcome(life, table + 1, 1), all));
        assertEquals(Kind.TRANSIENT, refused(welcome(life, table, 2), all));
    }

    @Test
    void shouldGiveUpWhereMemoryIsMissing()
    {
        assertEquals(Kind.PERMANENT, refused(welcome(), segments(SuperblockDescriptor.LENGTH - 1)));
        assertEquals(Kind.PERMANENT, refused(welcome(), segments(region.superblock.regionLength() - 1)));
    }

    @Test
    void shouldGiveUpWhereThereIsNoSuperblock()
    {
        UnsafeApi.setMemory(null, region.address, SuperblockDescriptor.LENGTH, (byte)0);

        assertEquals(Kind.PERMANENT, refused(welcome(), segments(region.superblock.regionLength())));
    }
}
