package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.soft.RegionTable;

@Timeout(300)
class MemoryTest
{
    private static final long FOUR_GIB = 4L << 30;

    @Test
    void shouldReachAllOfALargeRegion() throws IOException
    {
        final long free = Files.getFileStore(ContextPaths.base()).getUsableSpace();
        assumeTrue(free > FOUR_GIB + (1L << 30), "too little shared memory: " + free);
        try (Node client = new Node(); Node server = new Node(FOUR_GIB, false, 0))
        {
            Node.connect(client, server);
            final long[] offsets = {0, (1L << 31) - 4, (1L << 32) - 4096, FOUR_GIB - 8};
            for (int i = 0; i < offsets.length; i++)
            {
                UnsafeApi.putLong(server.address(offsets[i]), 0x1234_5678_9ABCL + i);
                client.oneSided(Opcode.RDMA_READ, server, 0, 8, offsets[i]);
                assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
                assertEquals(0x1234_5678_9ABCL + i, UnsafeApi.getLong(client.address(0)));
            }
            client.oneSided(Opcode.RDMA_READ, server, 0, 8, FOUR_GIB - 7);
            assertEquals(CompletionStatus.REM_ACCESS_ERR, client.awaitStatus());
        }
    }

    @Test
    void shouldNotUseAMappingWhoseFileSomebodyElseRemoved() throws IOException
    {
        try (Node client = new Node();
            Node server = new Node();
            DeviceMemory second = server.context.allocate(4096);
            MemoryRegion region = server.domain.register(second.range(), Node.ALL))
        {
            Node.connect(client, server);
            client.oneSided(Opcode.RDMA_READ, server, 0, 8, 0);
            assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
            final Path directory = ContextPaths.pathOf(Posix.userId(), server.context.queryGid(1, 0));
            Files.delete(directory.resolve(FileNames.memory(((ShmMemory)server.memory).number())));
            // Mapping another file unmaps those that are gone.
            client.oneSided(Opcode.RDMA_READ, second.range().address(), region.remoteKey(), 0, 8);
            assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
            client.oneSided(Opcode.RDMA_READ, server, 0, 8, 0);
            assertEquals(CompletionStatus.REM_ACCESS_ERR, client.awaitStatus());
        }
    }

    @Test
    void shouldReachThousandsOfRegions()
    {
        final List<MemoryRegion> regions = new ArrayList<>();
        try (Node client = new Node(); Node server = new Node())
        {
            Node.connect(client, server);
            for (int i = 0; i < RegionTable.CAPACITY - 1; i++)
            {
                regions.add(server.domain.register(server.memory.range().slice(i * 8L, 8), Node.ALL));
                UnsafeApi.putLong(server.address(i * 8L), i + 1);
            }
            assertEquals(Errno.ENOMEM, assertThrows(
                VerbsException.class, () -> server.domain.register(server.memory.range(), Node.ALL)).errno());
            for (int pass = 0; pass < 2; pass++)
            {
                for (int i = 0; i < regions.size(); i += 1 + pass * 6)
                {
                    client.oneSided(Opcode.RDMA_READ, server.address(i * 8L), regions.get(i).remoteKey(), 0, 8);
                    assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
                    assertEquals(i + 1, UnsafeApi.getLong(client.address(0)));
                }
            }
            final int gone = regions.get(5000).remoteKey();
            regions.remove(5000).close();
            client.oneSided(Opcode.RDMA_READ, server.address(5000 * 8L), gone, 0, 8);
            assertEquals(CompletionStatus.REM_ACCESS_ERR, client.awaitStatus());
            regions.forEach(MemoryRegion::close);
        }
    }

    @Test
    void shouldSayWhatIsFull(@TempDir final Path directory) throws Exception
    {
        try (MountedSharedMemory mounted = MountedSharedMemory.at(directory, "size=16m");
            Context context = Devices.find("shm").open())
        {
            final VerbsException full =
                assertThrows(VerbsException.class, () -> context.allocate(64L << 20));
            assertEquals(Errno.ENOSPC, full.errno());
            for (final String part :
                new String[] {mounted.directory().toString(), "size=16777216", "free=", "--shm-size"})
            {
                assertTrue(full.getMessage().contains(part), full.getMessage());
            }
            context.allocate(8L << 20).close();
        }
    }

    @Test
    void shouldRegisterForeignMemoryForLocalUseOnly()
    {
        try (Context context = Devices.find("shm").open();
            ProtectionDomain domain = context.allocateProtectionDomain();
            NativeArray foreign = new NativeArray(4096))
        {
            domain.register(foreign.range(), Access.LOCAL_WRITE).close();
            final VerbsException refused = assertThrows(
                VerbsException.class, () -> domain.register(foreign.range(), Access.REMOTE_READ));
            assertEquals(Errno.EINVAL, refused.errno());
            assertTrue(refused.getMessage().contains("allocate()"), refused.getMessage());
        }
    }

    @Test
    void shouldForgetTheFilesThatThePeerHasFreed()
    {
        try (Node client = new Node(); Node server = new Node())
        {
            Node.connect(client, server);
            for (int i = 0; i < 100; i++)
            {
                try (var memory = server.context.allocate(1 << 16);
                    var region = server.domain.register(memory.range(), Node.ALL))
                {
                    UnsafeApi.putLong(memory.range().address(), i);
                    client.oneSided(Opcode.RDMA_READ, memory.range().address(), region.remoteKey(), 0, 8);
                    assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
                    assertEquals(i, UnsafeApi.getLong(client.address(0)));
                }
            }
            Node.await(() -> deletedMappings() < 10);
        }
    }

    @Test
    void shouldRefuseARangeThatIsPartlyOutside()
    {
        try (Node node = new Node())
        {
            final MemoryRange beyond = new MemoryRange(node.address(4096), node.memory.range().length());
            assertThrows(VerbsException.class, () -> node.domain.register(beyond, Access.REMOTE_READ));
            assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, node.memory::close).errno());
        }
    }

    private static long deletedMappings()
    {
        try (var lines = Files.lines(Path.of("/proc/self/maps")))
        {
            return lines.filter((line) -> line.contains("memory-") && line.endsWith("(deleted)")).count();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
