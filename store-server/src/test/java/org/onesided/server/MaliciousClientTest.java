package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.rpc.BatchMessages;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerEncoder;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.MemoryRegion;

/**
 * A client that attaches as it should and then means harm. Whatever it sends, its session ends with a reason that is
 * logged once, or the request is refused; the table is as it was, byte for byte, all that the session held comes back,
 * and another session notices nothing.
 */
@Timeout(300)
class MaliciousClientTest
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int VALUE_LENGTH = 20_000;
    private static final int CHUNK_LENGTH = 1 << 20;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private StoreServer server;
    private TestClient bystander;
    private CapturedLog log;
    private long lost;
    private long used;
    private long checksum;
    private int orphans;

    @BeforeEach
    void start() throws IOException
    {
        log = new CapturedLog();
        // These clients give no sign of life of their own, however long a test takes.
        server = StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).device("shm,tcp")
            .memory(8 << 20).shards(1).leaseNs(TimeUnit.MINUTES.toNanos(5)));
        bystander = opened(TestClient.connected(server));
        assertEquals(Status.OK, bystander.put("bystander", bytes("unharmed")).status());
        assertEquals(Status.OK, bystander.putLarge("large", value()).status());
        used = bystander.stat(0).heapBytesUsed();
        checksum = checksum();
        lost = shard().connectionsLost();
    }

    @AfterEach
    void close()
    {
        try
        {
            assertEquals(checksum, checksum());
            assertEquals(0, log.count("unexpected"), log.text());
            assertEquals(0, log.count("ERROR"), log.text());
        }
        finally
        {
            CloseHelper.closeAll(opened);
            server.close();
            log.close();
        }
    }

    private TestClient attacker(final String device) throws IOException
    {
        return opened(TestClient.connected(server, device, "", null));
    }

    /** Sees that the session was cut off for that reason, and nothing else has happened. */
    private void assertCutOff(final TestClient attacker, final String reason) throws IOException
    {
        final String goodbye = attacker.bootstrap().goodbye();
        assertTrue(goodbye.contains(reason), goodbye);
        Await.until("connections", () -> connections() == 1);
        if (!reason.contains("queue pair failed"))
        {
            // One whose queue pair failed may be resumed until its lease runs out; here nothing is left to resume.
            Await.until("sessions", () -> server.sessionCount() <= orphans + 1);
        }
        else
        {
            orphans++;
        }
        final String told = "session ended: session=" + attacker.welcome().session() + " ";
        assertEquals(1, log.count(told), log.text());
        assertEquals(1, log.text().lines().filter((line) -> line.contains(told) && line.contains(reason)).count());
        assertEquals(++lost, shard().connectionsLost());
        assertUndisturbed();
    }

    private void assertUndisturbed()
    {
        Await.until("heap", () -> bystander.stat(0).heapBytesUsed() == used);
        assertArrayEquals(bytes("unharmed"), bystander.lookUp("bystander"));
        assertArrayEquals(value(), bystander.lookUp("large"));
    }

    private long connections()
    {
        return shard().connections().values().stream().mapToLong(Long::longValue).sum();
    }

    private ShardMetrics shard()
    {
        return server.metrics().shards().get(0);
    }

    private long checksum()
    {
        final CRC32 crc = new CRC32();
        for (final TestSegments.Segment segment : bystander.segments())
        {
            for (long offset = 0; offset < segment.length(); offset += CHUNK_LENGTH)
            {
                crc.update(bystander.readBytes(
                    segment.start() + offset, (int)Math.min(CHUNK_LENGTH, segment.length() - offset)));
            }
        }
        return crc.getValue();
    }

    /** Cuts the sessions of those who send what is no request; each message in a session of its own. */
    private void assertMalformed(final String device, final Message message) throws IOException
    {
        final TestClient attacker = attacker(device);
        attacker.send(0, message.write(attacker.outgoing()));
        assertCutOff(attacker, "malformed request");
    }

    private interface Message
    {
        int write(UnsafeBuffer buffer);
    }

    private static int put(final UnsafeBuffer buffer, final long id, final String key, final String value)
    {
        return new PutRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(id)
            .putKey(bytes(key), 0, key.length()).putValue(bytes(value), 0, value.length()).limit();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCutOffWhoSendsAMessageThatIsCutShort(final String device) throws IOException
    {
        for (final int missing : new int[]{1, 5, 6, 9, 12, 18, 26})
        {
            assertMalformed(device, (buffer) -> put(buffer, 1, "key", "value") - missing);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCutOffWhoseLengthsDoNotFit(final String device) throws IOException
    {
        final int keyAt = HEADER_LENGTH + PutRequestEncoder.BLOCK_LENGTH;
        final int valueAt = keyAt + Short.BYTES + 3;
        for (final int length : new int[]{-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 6, 4})
        {
            assertMalformed(device, (buffer) ->
            {
                final int end = put(buffer, 1, "key", "value");
                buffer.putInt(valueAt, length, ByteOrder.LITTLE_ENDIAN);
                return end;
            });
        }
        for (final int length : new int[]{0xFFFF, 0x8000, 13})
        {
            assertMalformed(device, (buffer) ->
            {
                final int end = put(buffer, 1, "key", "value");
                buffer.putShort(keyAt, (short)length, ByteOrder.LITTLE_ENDIAN);
                return end;
            });
        }
        for (final int length : new int[]{0, 7, 9, 0xFFFF})
        {
            assertMalformed(device, (buffer) ->
            {
                final int end = put(buffer, 1, "key", "value");
                buffer.putShort(0, (short)length, ByteOrder.LITTLE_ENDIAN);
                return end;
            });
        }
        assertMalformed(device, (buffer) -> put(buffer, 1, "key", "value") + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCutOffWhoSendsWhatIsNoRequest(final String device) throws IOException
    {
        for (final int template : new int[]{0, 17, 31, 0xFFFF})
        {
            assertMalformed(device, (buffer) ->
            {
                final int end = put(buffer, 1, "key", "value");
                buffer.putShort(2, (short)template, ByteOrder.LITTLE_ENDIAN);
                return end;
            });
        }
        assertMalformed(device, (buffer) ->
        {
            final int end = put(buffer, 1, "key", "value");
            buffer.putShort(4, (short)2, ByteOrder.LITTLE_ENDIAN);
            return end;
        });
        // An answer to nothing.
        assertMalformed(device, (buffer) -> new WriteAnswerEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(1).slotWord(-1).version(1)
            .bucketOffset(4096).slotIndex((short)0).status(Status.OK).limit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCutOffWhoseMessageFitsNoReceive(final String device) throws IOException
    {
        final TestClient attacker = attacker(device);
        attacker.send(0, attacker.welcome().messageLength() + 1);
        assertCutOff(attacker, "queue pair failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldRefuseKeysAndValuesBeyondTheLimits(final String device) throws IOException
    {
        final TestClient attacker = attacker(device);
        final String tooLong = "k".repeat(4097);
        assertEquals(Status.INVALID, attacker.put("", bytes("value")).status());
        assertEquals(Status.INVALID, attacker.put(tooLong, bytes("value")).status());
        assertEquals(Status.INVALID, attacker.get("").status());
        assertEquals(Status.INVALID, attacker.get(tooLong).status());
        assertEquals(Status.INVALID, attacker.delete("").status());
        assertEquals(Status.INVALID, attacker.delete(tooLong).status());
        final MemoryRegion own = attacker.lend(new byte[100]);
        for (final long length : new long[]{(64L << 20) + 1, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL})
        {
            attacker.sendPutLarge(
                0, attacker.nextId(0), "key", own.range().address(), length, own.remoteKey());
            assertEquals(Status.INVALID, TestClient.write(attacker.answer()).status());
        }
        for (final String key : new String[]{"", tooLong})
        {
            attacker.sendPutLarge(0, attacker.nextId(0), key, own.range().address(), 100, own.remoteKey());
            assertEquals(Status.INVALID, TestClient.write(attacker.answer()).status());
        }
        assertUndisturbed();
        assertEquals(2, server.sessionCount());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldPullFromNoMemoryButTheSessionsOwn(final String device) throws IOException
    {
        final MemoryRegion others = bystander.lend(bytes("a secret of the bystander's, of some length"));
        final List<long[]> sources = new ArrayList<>();
        sources.add(new long[]{bystander.regionAddress(), bystander.regionKey()});
        sources.add(new long[]{others.range().address(), others.remoteKey()});
        sources.add(new long[]{0, 0});
        sources.add(new long[]{-1, -1});
        for (final long[] source : sources)
        {
            final TestClient attacker = attacker(device);
            attacker.sendPutLarge(0, 1, "stolen", source[0], 40, (int)source[1]);
            assertCutOff(attacker, "queue pair failed");
            assertNull(bystander.lookUp("stolen"));
        }
        for (final long[] beyond : new long[][]{{-1, 100}, {1, 100}, {50, VALUE_LENGTH}, {1L << 40, 10}})
        {
            final TestClient attacker = attacker(device);
            final MemoryRegion own = attacker.lend(new byte[4096]);
            attacker.sendPutLarge(
                0, 1, "stolen", own.range().address() + (beyond[0] < 2 && beyond[0] > 0 ? 4096 : beyond[0]),
                beyond[1], own.remoteKey());
            assertCutOff(attacker, "queue pair failed");
            assertNull(bystander.lookUp("stolen"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCutOffWhoSendsTooManyPutsInAMessage(final String device) throws IOException
    {
        final String[] keys = new String[BatchLimits.MAX_PUTS + 1];
        Arrays.fill(keys, "key");
        assertMalformed(device, (buffer) -> BatchMessages.encode(buffer, 1, new int[keys.length], keys));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAnswerABatchThatIsReplayedAndPutItOnce(final String device) throws IOException
    {
        final TestClient attacker = attacker(device);
        final int[] lengths = {5, 6};
        attacker.send(0, BatchMessages.encode(attacker.outgoing(), 1, lengths, "mine", "other"));
        final List<Status> first = BatchMessages.statuses(attacker.answer());
        assertEquals(List.of(Status.OK, Status.OK), first);
        assertArrayEquals(bytes("vvvvv"), bystander.lookUp("mine"));
        bystander.put("mine", bytes("newer"));
        attacker.send(0, BatchMessages.encode(attacker.outgoing(), 1, lengths, "mine", "other"));
        assertEquals(first, BatchMessages.statuses(attacker.answer()));
        // Another request of the same number gets the same answer.
        attacker.send(0, put(attacker.outgoing(), 1, "mine", "value"));
        assertEquals(first, BatchMessages.statuses(attacker.answer()));
        assertArrayEquals(bytes("newer"), bystander.lookUp("mine"));
        assertArrayEquals(bytes("vvvvvv"), bystander.lookUp("other"));
        bystander.delete("mine");
        bystander.delete("other");
        checksum = checksum();
        assertUndisturbed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAnswerWhatIsReplayedAndDoItOnce(final String device) throws IOException
    {
        final TestClient attacker = attacker(device);
        attacker.sendPut(0, 1, "mine", bytes("first"));
        final TestClient.Write first = TestClient.write(attacker.answer());
        assertEquals(Status.OK, first.status());
        attacker.sendPut(0, 3, "other", bytes("third"));
        assertEquals(Status.OK, TestClient.write(attacker.answer()).status());
        attacker.sendPut(0, 1, "mine", bytes("other than the first"));
        assertEquals(first, TestClient.write(attacker.answer()));
        attacker.sendPut(0, 1, "bystander", bytes("harmed"));
        assertEquals(first, TestClient.write(attacker.answer()));
        attacker.sendPut(0, 2, "mine", bytes("late"));
        assertEquals(Status.OK, TestClient.write(attacker.answer()).status());
        assertArrayEquals(bytes("late"), bystander.lookUp("mine"));
        bystander.delete("mine");
        bystander.delete("other");
        checksum = checksum();
        assertUndisturbed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCutOffWhoseRequestIdsMakeNoSense(final String device) throws IOException
    {
        for (final long id : new long[]{0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 100_000})
        {
            final TestClient attacker = attacker(device);
            attacker.sendPut(0, id, "bystander", bytes("harmed"));
            assertCutOff(attacker, "request id outside the window");
        }
        final TestClient attacker = attacker(device);
        for (int i = 1; i <= 200; i++)
        {
            attacker.sendGet(0, i, "bystander");
            attacker.answer();
        }
        attacker.sendPut(0, 1, "bystander", bytes("harmed"));
        assertCutOff(attacker, "request id outside the window");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldTakeBackNoExtentThatItLentToAnother(final String device) throws IOException
    {
        final TestClient.Got lent = bystander.get("large");
        assertNotEquals(0, lent.extent());
        final TestClient attacker = attacker(device);
        assertEquals(Status.NOT_FOUND, attacker.release(0, lent.extent()));
        for (final long extent : new long[]{0, -1, 1, 4096, Long.MIN_VALUE, Long.MAX_VALUE, lent.extent() + 16})
        {
            assertEquals(Status.NOT_FOUND, attacker.release(0, extent));
        }
        // Its own it may give back, but once.
        final TestClient.Got own = attacker.get("large");
        assertEquals(Status.OK, attacker.release(0, own.extent()));
        assertEquals(Status.NOT_FOUND, attacker.release(0, own.extent()));
        assertArrayEquals(value(), bystander.readBytes(lent.extent(), lent.length()));
        assertEquals(Status.OK, bystander.release(0, lent.extent()));
        assertUndisturbed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldGiveBackWhatItLentToWhomItCutsOff(final String device) throws IOException
    {
        final TestClient attacker = attacker(device);
        assertNotEquals(0, attacker.get("large").extent());
        assertNotEquals(0, attacker.get("large").extent());
        attacker.send(0, 3);
        assertCutOff(attacker, "malformed request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldResumeNoSessionOfAnother(final String device) throws IOException
    {
        final TestBootstrap.Welcome others = bystander.welcome();
        final TestClient attacker = attacker(device);
        final TestBootstrap.Welcome own = attacker.welcome();
        for (final long[] secret : new long[][]{
            {0, 0}, {own.secretHigh(), own.secretLow()}, {others.secretHigh(), own.secretLow()},
            {others.secretHigh(), ~others.secretLow()}})
        {
            final TestClient thief = opened(TestClient.connected(server, device, "", new TestBootstrap.Welcome(
                others.life(), others.session(), secret[0], secret[1], false, others.shards(), others.credits(),
                others.messageLength(), others.leaseMs())));
            assertFalse(thief.welcome().isResumed());
            assertNotEquals(others.session(), thief.welcome().session());
            thief.bootstrap().sayGoodbye();
        }
        Await.until("sessions", () -> server.sessionCount() == 2);
        assertUndisturbed();
    }

    /**
     * What is sent beyond the credits is done no less than once and no more, or not at all: over tcp it waits at the
     * server for its turn, over shm at the sender, which gives up by itself. {@link CreditsTest} has those for whom
     * there is no turn.
     */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldNotLetAFloodBeyondTheCreditsDisturbOthers(final String device) throws IOException
    {
        final TestClient attacker = attacker(device);
        final int length = put(attacker.outgoing(), 1, "flood", "flood");
        final int flood = 4 * attacker.welcome().credits();
        final long endNs = TestBootstrap.deadline();
        final Set<TestClient.Write> answers = new HashSet<>();
        for (int round = 0; round < 20 && attacker.failure() == 0; round++)
        {
            for (int i = 0; i < flood && attacker.failure() == 0; i++)
            {
                attacker.post(0, length);
            }
            assertArrayEquals(bytes("unharmed"), bystander.lookUp("bystander"));
            assertEquals(Status.OK, bystander.put("meanwhile", bytes("served")).status());
            // Once its answers are taken it may go on: all are the same request.
            for (int answered = 0; answered < flood && attacker.failure() == 0;)
            {
                assertTrue(System.nanoTime() - endNs < 0, "neither answered nor failed: answers=" + answered);
                if (attacker.hasAnswer())
                {
                    answers.add(TestClient.write(attacker.answer()));
                    answered++;
                }
            }
        }
        if (device.equals("tcp") || attacker.failure() != 0)
        {
            assertEquals(
                CompletionStatus.name(
                    device.equals("tcp") ? CompletionStatus.SUCCESS : CompletionStatus.RNR_RETRY_EXC_ERR),
                CompletionStatus.name(attacker.failure()));
        }
        // The server has nothing to say against it.
        assertEquals(0, log.count("queue pair ended"), log.text());
        assertTrue(answers.size() <= 1 && answers.stream().allMatch((one) -> one.status() == Status.OK),
            "done more than once: " + answers);
        opened.remove(attacker);
        attacker.close();
        Await.until("connections", () -> connections() == 1);
        bystander.delete("flood");
        bystander.delete("meanwhile");
        checksum = checksum();
        assertUndisturbed();
    }

    private static byte[] value()
    {
        final byte[] value = new byte[VALUE_LENGTH];
        for (int i = 0; i < value.length; i++)
        {
            value[i] = (byte)(i * 31 >> 3);
        }
        return value;
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(UTF_8);
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
