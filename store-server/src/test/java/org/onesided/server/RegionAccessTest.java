package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.Access;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Devices;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;

/** A client may READ the table's region, and nothing else of the server. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegionAccessTest
{
    private static final int BUCKETS = 4096;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0"})
    void shouldLetClientsReadTheRegionOnly(final String device) throws IOException
    {
        final ServerOptions options = new ServerOptions().listenPort(0).memory(16 << 20).device(device);
        try (StoreServer server = StoreServer.start(options); TestClient reader = TestClient.connected(server))
        {
            assertEquals(Status.OK, reader.put("key", new byte[]{7}).status());
            final byte[] before = reader.readBytes(BUCKETS, BUCKETS);
            assertRefused(server, Opcode.RDMA_WRITE, BUCKETS, Long.BYTES, 0);
            if (device.equals("shm"))
            {
                // The others' iWARP has none.
                assertRefused(server, Opcode.ATOMIC_CMP_AND_SWP, BUCKETS, Long.BYTES, 0);
                assertRefused(server, Opcode.ATOMIC_FETCH_AND_ADD, BUCKETS, Long.BYTES, 0);
            }
            // Beyond either end, where other memory of the server may be.
            final long end = reader.segments().get(0).length();
            assertRefused(server, Opcode.RDMA_READ, end - Long.BYTES, 2 * Long.BYTES, 0);
            assertRefused(server, Opcode.RDMA_READ, -Long.BYTES, 2 * Long.BYTES, 0);
            assertRefused(server, Opcode.RDMA_READ, 0, Long.BYTES, 1 << 20);
            assertArrayEquals(before, reader.readBytes(BUCKETS, BUCKETS));
            assertArrayEquals(new byte[]{7}, reader.get("key").value());
        }
    }

    /** Whoever knows where requests and answers of another are, and their key, gets at neither, nor at his own. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0"})
    void shouldLetNobodyReachTheBuffersOfMessages(final String name) throws IOException
    {
        final FailingDevice device = new FailingDevice(Devices.find(name), Integer.MAX_VALUE);
        final Requests asked = new Requests(0, 0);
        device.watch(asked);
        try (StoreServer server = start(device); TestClient victim = TestClient.connected(server))
        {
            assertEquals(Status.OK, victim.put("key", new byte[]{7}).status());
            final MemoryRegion buffers = asked.last();
            for (final int opcode : opcodes(name, Opcode.RDMA_READ))
            {
                assertRefused(server, opcode, () -> buffers, 0);
                assertRefused(server, opcode, () -> buffers, buffers.range().length() - Long.BYTES);
                // Those registered last are the attacker's own.
                assertRefused(server, opcode, asked::last, 0);
            }
            assertEquals(Status.OK, victim.put("key", new byte[]{8}).status());
            assertArrayEquals(new byte[]{8}, victim.get("key").value());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0"})
    void shouldAskForNoMoreAccessThanItNeeds(final String name) throws IOException
    {
        final FailingDevice device = new FailingDevice(Devices.find(name), Integer.MAX_VALUE);
        final Requests asked = new Requests(0, 0);
        device.watch(asked);
        try (StoreServer server = start(device);
            TestClient one = TestClient.connected(server); TestClient other = TestClient.connected(server))
        {
            assertEquals(Status.OK, one.put("key", new byte[]{7}).status());
            assertArrayEquals(new byte[]{7}, other.get("key").value());
            // The first segment of the table, one of each part of its shard or one for all, and each session's buffers.
            final List<Integer> expected = new ArrayList<>(
                Collections.nCopies(name.equals("shm") ? 2 : 5, Access.REMOTE_READ | Access.LOCAL_WRITE));
            expected.addAll(Collections.nCopies(2, Access.LOCAL_WRITE));
            assertEquals(expected, asked.regionAccess);
            // One for each session and shard.
            assertEquals(Collections.nCopies(2 * one.welcome().shards(), Access.REMOTE_READ), asked.queuePairAccess);
        }
    }

    /** The region's registration and the queue pairs each forbid WRITEs, so that one may be wrong. */
    @ParameterizedTest
    @CsvSource({"shm, true", "shm, false", "tcp:127.0.0.1:0, true", "tcp:127.0.0.1:0, false"})
    void shouldBeProtectedByEitherHalfAlone(final String name, final boolean isRegionOpen) throws IOException
    {
        final FailingDevice device = new FailingDevice(Devices.find(name), Integer.MAX_VALUE);
        final int more = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
        device.watch(new Requests(isRegionOpen ? more : 0, isRegionOpen ? 0 : more));
        try (StoreServer server = start(device); TestClient reader = TestClient.connected(server))
        {
            assertEquals(Status.OK, reader.put("key", new byte[]{7}).status());
            final byte[] before = reader.readBytes(BUCKETS, BUCKETS);
            for (final int opcode : opcodes(name))
            {
                assertRefused(server, opcode, BUCKETS, Long.BYTES, 0);
            }
            assertArrayEquals(before, reader.readBytes(BUCKETS, BUCKETS));
            assertArrayEquals(new byte[]{7}, reader.get("key").value());
        }
    }

    private static StoreServer start(final FailingDevice device)
    {
        return StoreServer.start(
            new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(16 << 20).verbsDevice(device));
    }

    /** All that changes memory, on a device that has it, and some more. */
    private static int[] opcodes(final String device, final int... more)
    {
        final IntStream changing = device.equals("shm") ?
            IntStream.of(Opcode.RDMA_WRITE, Opcode.ATOMIC_CMP_AND_SWP, Opcode.ATOMIC_FETCH_AND_ADD) :
            IntStream.of(Opcode.RDMA_WRITE);
        return IntStream.concat(changing, IntStream.of(more)).toArray();
    }

    /** What a server asks its device for; it is given some access more than that. */
    private static final class Requests implements FailingDevice.Watcher
    {
        private final int regionsMore;
        private final int queuePairsMore;
        private final List<Integer> regionAccess = new CopyOnWriteArrayList<>();
        private final List<Integer> queuePairAccess = new CopyOnWriteArrayList<>();
        private final List<MemoryRegion> regions = new CopyOnWriteArrayList<>();

        private Requests(final int regionsMore, final int queuePairsMore)
        {
            this.regionsMore = regionsMore;
            this.queuePairsMore = queuePairsMore;
        }

        private MemoryRegion last()
        {
            return regions.get(regions.size() - 1);
        }

        @Override
        public void onCall(final String verb, final Object[] arguments)
        {
            if ("register".equals(verb))
            {
                regionAccess.add((Integer)arguments[1]);
                arguments[1] = (Integer)arguments[1] | regionsMore;
            }
            else if ("modify".equals(verb) && ((Integer)arguments[1] & AttributeMask.ACCESS_FLAGS) != 0)
            {
                final QueuePairAttributes attributes = (QueuePairAttributes)arguments[0];
                queuePairAccess.add(attributes.accessFlags());
                attributes.accessFlags(attributes.accessFlags() | queuePairsMore);
            }
        }

        @Override
        public void onReturn(final String verb, final Object result)
        {
            if ("register".equals(verb))
            {
                regions.add((MemoryRegion)result);
            }
        }
    }

    /** Tries what has an address and a key of its own. */
    private static void assertRefused(
        final StoreServer server, final int opcode, final Supplier<MemoryRegion> region, final long offset)
        throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            final MemoryRegion target = region.get();
            assertEquals(
                CompletionStatus.name(CompletionStatus.REM_ACCESS_ERR),
                CompletionStatus.name(client.fail(
                    opcode, target.range().address() + offset, Long.BYTES, target.remoteKey())));
        }
    }

    /** Each ends a session of its own. */
    private static void assertRefused(
        final StoreServer server, final int opcode, final long tableOffset, final int length, final int wrongKey)
        throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(
                CompletionStatus.name(CompletionStatus.REM_ACCESS_ERR),
                CompletionStatus.name(client.fail(
                    opcode, client.regionAddress() + tableOffset, length, client.regionKey() ^ wrongKey)));
        }
    }
}
