package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.posix.Posix;

/**
 * A server that does not trust its peers, and a peer that writes what it likes wherever it can.
 */
@Timeout(300)
class HostilePeerTest
{
    private static final int ROUNDS = 60;
    private static final int STEPS = 400;
    private static final int LENGTH = 1 << 20;
    /** Receives of the victim queue pair go below, all else above must stay as it is. */
    private static final int RECEIVE_AREA = 64 * 1024;

    private final Node server = Node.untrusting();
    private final Node honest = new Node();
    private final Node hostile = new Node();

    @BeforeEach
    void setUp()
    {
        Node.connect(honest, server);
        server.fill(RECEIVE_AREA, LENGTH - RECEIVE_AREA, 5);
    }

    @AfterEach
    void tearDown()
    {
        honest.close();
        hostile.close();
        server.close();
    }

    @Test
    void shouldSurviveScribblingOverTheSharedFile() throws IOException
    {
        int failed = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            final Random random = new Random(round);
            final QueuePair victim = server.domain.createQueuePair(new QueuePairInitAttributes(
                server.completions, server.completions, null, 16, 16, 4, 4, 0, false, true));
            final QueuePair attacker = hostile.domain.createQueuePair(new QueuePairInitAttributes(
                hostile.completions, hostile.completions, null, 16, 16, 4, 4, 0, false, false));
            connect(victim, attacker);
            try (SharedMapping file = map(victim))
            {
                for (int step = 0; step < STEPS; step++)
                {
                    scribble(random, file);
                    act(random, victim);
                }
            }
            failed += victim.state() == QueuePairState.ERR ? 1 : 0;
            victim.close();
            attacker.close();
            while (server.polled.poll(server.completions) > 0)
            {
                // Only makes room.
            }
        }
        assertTrue(failed > ROUNDS / 2, "hardly any scribbling was noticed: " + failed);
        assertTrue(server.holds(RECEIVE_AREA, LENGTH - RECEIVE_AREA, 5));

        assertEquals(0, server.receive(1, 0, 100));
        honest.fill(0, 100, 8);
        honest.send(2, 0, 100);
        assertEquals(CompletionStatus.SUCCESS, honest.awaitStatus());
        assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
        assertTrue(server.holds(0, 100, 8));
        assertEquals(QueuePairState.RTS, server.queuePair.state());
    }

    @Test
    void shouldSurviveScribblingOverTheRegionTable() throws IOException
    {
        final Path directory = ContextPaths.pathOf(Posix.userId(), hostile.context.queryGid(1, 0));
        for (int round = 0; round < ROUNDS; round++)
        {
            final Random random = new Random(round);
            final QueuePair victim = server.domain.createQueuePair(new QueuePairInitAttributes(
                server.completions, server.completions, null, 16, 16, 4, 4, 0, false, true));
            final QueuePair attacker = hostile.domain.createQueuePair(new QueuePairInitAttributes(
                hostile.completions, hostile.completions, null, 16, 16, 4, 4, 0, false, false));
            connect(victim, attacker);
            final int key = hostile.region.remoteKey();
            try (SharedMapping control = map(directory.resolve(FileNames.CONTROL)))
            {
                final long entry = control.address() + ControlDescriptor.entryOffset(key);
                final long before = UnsafeApi.getLong(entry + RegionEntryDescriptor.LENGTH_OFFSET);
                final int words = RegionEntryDescriptor.LENGTH / Integer.BYTES;
                final int[] saved = new int[words];
                for (int i = 0; i < words; i++)
                {
                    saved[i] = UnsafeApi.getInt(entry + i * 4L);
                }
                for (int i = 1 + random.nextInt(3); i > 0; i--)
                {
                    UnsafeApi.putInt(entry + 4L + 4L * random.nextInt(words - 1), interesting(random));
                }
                server.sends.at(0).begin(7, Opcode.RDMA_READ, 2)
                    .element(server.address(0), 4096, server.region.localKey())
                    .remote(hostile.address(random.nextInt(LENGTH)), key);
                server.sends.post(victim, 1);
                server.sends.at(0).begin(8, Opcode.RDMA_WRITE, 2)
                    .element(server.address(0), 4096, server.region.localKey())
                    .remote(hostile.address(random.nextInt(LENGTH)), key);
                server.sends.post(victim, 1);
                while (server.polled.poll(server.completions) > 0)
                {
                    // Only makes room; each may have gone well or not.
                }
                for (int i = 0; i < words; i++)
                {
                    UnsafeApi.putInt(entry + i * 4L, saved[i]);
                }
                assertEquals(before, UnsafeApi.getLong(entry + RegionEntryDescriptor.LENGTH_OFFSET));
            }
            victim.close();
            attacker.close();
        }
        assertTrue(server.holds(RECEIVE_AREA, LENGTH - RECEIVE_AREA, 5));
    }

    @Test
    void shouldEndTheQueuePairWhenThePeerShrinksItsMemory() throws IOException
    {
        final QueuePair victim = server.domain.createQueuePair(new QueuePairInitAttributes(
            server.completions, server.completions, null, 16, 16, 4, 4, 0, false, true));
        final QueuePair attacker = hostile.domain.createQueuePair(new QueuePairInitAttributes(
            hostile.completions, hostile.completions, null, 16, 16, 4, 4, 0, false, false));
        connect(victim, attacker);
        final Path directory = ContextPaths.pathOf(Posix.userId(), hostile.context.queryGid(1, 0));
        try (Stream<Path> files = Files.list(directory))
        {
            final Path memory =
                files.filter((path) -> path.getFileName().toString().startsWith("memory-")).findFirst().orElseThrow();
            try (var channel = FileChannel.open(memory, StandardOpenOption.WRITE))
            {
                channel.truncate(4096);
            }
        }
        server.sends.at(0).begin(7, Opcode.RDMA_READ, 2)
            .element(server.address(0), 8192, server.region.localKey())
            .remote(hostile.address(0), hostile.region.remoteKey());
        assertEquals(0, server.sends.post(victim, 1));
        assertEquals(CompletionStatus.REM_ACCESS_ERR, server.awaitStatus());
        assertEquals(QueuePairState.ERR, victim.state());
        assertEquals(QueuePairState.RTS, server.queuePair.state());
        victim.close();
        attacker.close();
    }

    private void connect(final QueuePair victim, final QueuePair attacker)
    {
        // Finite, so that a hostile peer's silence ends.
        final ConnectionOptions options = Node.options().timeout(10, 1).rnr(1, 1);
        final var victimEnd = ReliableConnection.local(server.context, victim, options);
        final var attackerEnd = ReliableConnection.local(hostile.context, attacker, options);
        ReliableConnection.initialise(victim, options);
        ReliableConnection.initialise(attacker, options);
        ReliableConnection.connect(victim, victimEnd, attackerEnd, options);
        ReliableConnection.connect(attacker, attackerEnd, victimEnd, options);
    }

    private SharedMapping map(final QueuePair victim) throws IOException
    {
        final Path directory = ContextPaths.pathOf(Posix.userId(), server.context.queryGid(1, 0));
        try (Stream<Path> files = Files.list(directory))
        {
            return map(files.filter((path) -> path.getFileName().toString().startsWith("qp-" + victim.number() + "-"))
                .findFirst().orElseThrow());
        }
    }

    private static SharedMapping map(final Path file)
    {
        final int directory = Posix.openDirectory(file.getParent());
        final int fd = Posix.openAt(directory, file.getFileName().toString(), Posix.O_RDWR);
        try
        {
            return SharedMapping.of(fd, file.toString(), 1, true);
        }
        finally
        {
            Posix.close(fd);
            Posix.close(directory);
        }
    }

    private void scribble(final Random random, final SharedMapping file)
    {
        // What the other side owns lies in the words of side 1 and in the rings; all else it can reach as well.
        final long words = PairDescriptor.SIDES_OFFSET + 2L * PairSideDescriptor.LENGTH;
        final long length = random.nextInt(4) == 0 ? file.length() : words;
        final long offset = (random.nextLong() >>> 1) % (length / Integer.BYTES) * Integer.BYTES;
        UnsafeApi.putInt(file.address() + offset, interesting(random));
        if (random.nextInt(3) == 0)
        {
            final long side = file.address() + PairDescriptor.sideOffset(1);
            final int ring = file.length() > 2L * PairFile.DEFAULT_RING_LENGTH ? PairFile.DEFAULT_RING_LENGTH : 4096;
            final long frame = file.address() + file.length() - ring;
            UnsafeApi.putInt(frame + FrameDescriptor.LENGTH_OFFSET, interesting(random));
            UnsafeApi.putInt(frame + FrameDescriptor.FLAGS_OFFSET, random.nextInt(128));
            UnsafeApi.putLong(side + PairSideDescriptor.PRODUCED_OFFSET, 32L * random.nextInt(2 + ring / 32));
        }
    }

    private void act(final Random random, final QueuePair victim)
    {
        switch (random.nextInt(6))
        {
            case 0 ->
            {
                server.receives.at(0).begin(1)
                    .element(server.address(random.nextInt(32) * 1024), 1024, server.region.localKey());
                server.receives.post(victim, 1);
            }
            case 1 ->
            {
                server.sends.at(0).begin(2, Opcode.SEND, 2)
                    .element(server.address(RECEIVE_AREA), random.nextInt(4096), server.region.localKey());
                server.sends.post(victim, 1);
            }
            case 2 ->
            {
                server.sends.at(0).begin(3, Opcode.RDMA_WRITE_WITH_IMM, 2)
                    .element(server.address(RECEIVE_AREA), random.nextInt(4096), server.region.localKey())
                    .remote(hostile.address(0), hostile.region.remoteKey());
                server.sends.post(victim, 1);
            }
            case 3 -> server.completions.requestNotify(random.nextBoolean());
            default -> assertTrue(server.polled.poll(server.completions) >= 0);
        }
    }

    private static int interesting(final Random random)
    {
        return switch (random.nextInt(6))
        {
            case 0 -> -1;
            case 1 -> Integer.MAX_VALUE;
            case 2 -> Integer.MIN_VALUE;
            case 3 -> random.nextInt(64);
            case 4 -> 32 * random.nextInt(2048);
            default -> random.nextInt();
        };
    }
}
