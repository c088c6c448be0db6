package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.rpc.BatchMessages;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.IncrementRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutRequestEncoder;
import org.onesided.protocol.rpc.codec.SnapshotRequestEncoder;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TouchRequestEncoder;
import org.onesided.server.data.DataOptions;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;

/**
 * A hostile client with a reader's token, straight on the verbs: nothing that it sends changes anything.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReaderRightsTest
{
    private static final String KEY = "key";
    private static final byte[] VALUE = "17".getBytes(UTF_8);
    private static final byte[] OTHER = "18".getBytes(UTF_8);
    private static final byte[] LARGE = new byte[100_000];
    private static final MessageHeaderEncoder HEADER = new MessageHeaderEncoder();
    private static final String WRITER = "writer-secret";
    private static final String READER = "reader-secret";

    @TempDir
    Path directory;
    private Path writers;
    private Path readers;

    @BeforeEach
    void writeTokens() throws IOException
    {
        writers = Files.writeString(directory.resolve("writers"), "batch:" + WRITER + "\n");
        readers = Files.writeString(directory.resolve("readers"), "reports:" + READER + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0", "stored"})
    void shouldRefuseEachChange(final String kind) throws IOException
    {
        final boolean isStored = kind.equals("stored");
        final ServerOptions options = options().device(isStored ? "shm" : kind);
        if (isStored)
        {
            options.data(DataOptions.in(directory.resolve("data")));
        }
        try (StoreServer server = StoreServer.start(options);
            TestClient writer = connected(server, WRITER, null);
            TestClient reader = connected(server, READER, null))
        {
            assertEquals(Status.OK, writer.put(KEY, VALUE).status());
            final long puts = metrics(server).table().puts();

            final Set<RequestKind> tried = EnumSet.noneOf(RequestKind.class);
            assertEquals(!isStored, reader.bootstrap().isOfferedBatches());
            final int refused = tryAll(reader, tried);

            assertEquals(
                EnumSet.complementOf(EnumSet.of(
                    RequestKind.GET, RequestKind.TTL, RequestKind.RELEASE, RequestKind.STAT, RequestKind.LEASE)),
                tried, "every kind of change, and no other");
            final ShardMetrics after = metrics(server);
            assertEquals(refused, after.refusals().get(Status.READ_ONLY));
            assertEquals(puts, after.table().puts());
            assertEquals(0, after.table().deletes());
            assertEquals(0, after.bytesPulled(), "no value was pulled");
            assertArrayEquals(VALUE, writer.get(KEY).value());
            assertNull(writer.lookUp("another"));
        }
    }

    /** Sends every message that asks for a change, each key and condition that would hold included. */
    private static int tryAll(final TestClient reader, final Set<RequestKind> tried) throws IOException
    {
        int count = 0;
        for (final String key : new String[]{KEY, "another"})
        {
            final byte[] bytes = key.getBytes(UTF_8);
            final boolean isPresent = key.equals(KEY);
            tried.add(RequestKind.PUT);
            assertEquals(Status.READ_ONLY, reader.put(key, OTHER).status());
            if (reader.bootstrap().isOfferedBatches())
            {
                reader.send(0, BatchMessages.encode(
                    reader.outgoing(), reader.nextId(0), new int[]{1, 1}, key, "another"));
                assertEquals(
                    List.of(Status.READ_ONLY, Status.READ_ONLY), BatchMessages.statuses(reader.answer()));
                count += 2;
            }
            for (final ExpiryKind expiry : new ExpiryKind[]{ExpiryKind.DEFAULT, ExpiryKind.AFTER, ExpiryKind.AT})
            {
                reader.send(0, new QualifiedPutRequestEncoder().wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
                    .requestId(reader.nextId(0)).tableId(0).expectedVersion(0)
                    .expiry(expiry == ExpiryKind.DEFAULT ? 0 : 1)
                    .condition(isPresent ? ConditionKind.PRESENT : ConditionKind.ABSENT).expiryKind(expiry)
                    .putKey(bytes, 0, bytes.length).putValue(OTHER, 0, OTHER.length).limit());
                assertReadOnly(reader);
            }
            tried.add(RequestKind.PUT_LARGE);
            assertEquals(Status.READ_ONLY, reader.putLarge(key, LARGE).status());
            final MemoryRegion lent = reader.lend(LARGE);
            reader.send(0, new QualifiedPutLargeRequestEncoder()
                .wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
                .requestId(reader.nextId(0)).valueAddress(lent.range().address()).valueLength(LARGE.length)
                .valueKey(lent.remoteKey() & 0xFFFF_FFFFL).tableId(0).expectedVersion(0).expiry(0)
                .condition(ConditionKind.NONE).expiryKind(ExpiryKind.NEVER).putKey(bytes, 0, bytes.length).limit());
            assertReadOnly(reader);
            tried.add(RequestKind.DELETE);
            assertEquals(Status.READ_ONLY, reader.delete(key).status());
            reader.send(0, new ConditionalDeleteRequestEncoder()
                .wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
                .requestId(reader.nextId(0)).tableId(0).expectedVersion(0).condition(ConditionKind.PRESENT)
                .putKey(bytes, 0, bytes.length).limit());
            assertReadOnly(reader);
            tried.add(RequestKind.INCREMENT);
            reader.send(0, new IncrementRequestEncoder().wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
                .requestId(reader.nextId(0)).delta(1).initial(0).expiry(0).expiryKind(ExpiryKind.KEEP)
                .putKey(bytes, 0, bytes.length).limit());
            assertReadOnly(reader);
            tried.add(RequestKind.APPEND);
            reader.send(0, new AppendRequestEncoder().wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
                .requestId(reader.nextId(0)).expiry(0).expiryKind(ExpiryKind.KEEP)
                .putKey(bytes, 0, bytes.length).putValue(OTHER, 0, OTHER.length).limit());
            assertReadOnly(reader);
            tried.add(RequestKind.TOUCH);
            for (final ExpiryKind expiry : new ExpiryKind[]{ExpiryKind.NEVER, ExpiryKind.AFTER, ExpiryKind.AT})
            {
                reader.send(0, new TouchRequestEncoder().wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
                    .requestId(reader.nextId(0)).expiry(expiry == ExpiryKind.NEVER ? 0 : 1).expiryKind(expiry)
                    .putKey(bytes, 0, bytes.length).limit());
                assertReadOnly(reader);
            }
            count += 13;
        }
        tried.add(RequestKind.SNAPSHOT);
        reader.send(0, new SnapshotRequestEncoder().wrapAndApplyHeader(reader.outgoing(), 0, HEADER)
            .requestId(reader.nextId(0)).limit());
        assertEquals(Status.READ_ONLY, new StatAnswerDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(reader.answer()), 0, new MessageHeaderDecoder()).status());
        return count + 1;
    }

    private static void assertReadOnly(final TestClient reader)
    {
        assertEquals(Status.READ_ONLY, TestClient.write(reader.answer()).status());
    }

    @Test
    void shouldRefuseChangesThatAreSentTogether() throws IOException
    {
        try (StoreServer server = StoreServer.start(options());
            TestClient writer = connected(server, WRITER, null);
            TestClient reader = connected(server, READER, null))
        {
            assertEquals(Status.OK, writer.put(KEY, VALUE).status());
            for (int i = 0; i < reader.welcome().credits(); i++)
            {
                reader.sendPut(0, reader.nextId(0), i % 2 == 0 ? KEY : "key-" + i, OTHER);
            }
            for (int i = 0; i < reader.welcome().credits(); i++)
            {
                assertReadOnly(reader);
            }
            // The same request again gets the same answer.
            reader.sendPut(0, 1, KEY, OTHER);
            assertReadOnly(reader);
            assertArrayEquals(VALUE, writer.get(KEY).value());
            assertNull(writer.lookUp("key-1"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0"})
    void shouldLetNoReaderWriteToMemory(final String device) throws IOException
    {
        try (StoreServer server = StoreServer.start(options().device(device));
            TestClient writer = connected(server, WRITER, null))
        {
            assertEquals(Status.OK, writer.put(KEY, VALUE).status());
            final int length = 4096;
            final byte[] before = writer.readBytes(0, length);
            // The others' iWARP has no atomics.
            for (final int opcode : device.equals("shm") ?
                new int[]{Opcode.RDMA_WRITE, Opcode.ATOMIC_CMP_AND_SWP, Opcode.ATOMIC_FETCH_AND_ADD} :
                new int[]{Opcode.RDMA_WRITE})
            {
                try (TestClient reader = connected(server, READER, null))
                {
                    assertArrayEquals(VALUE, reader.lookUp(KEY));
                    assertEquals(CompletionStatus.REM_ACCESS_ERR,
                        reader.fail(opcode, reader.regionAddress(), Long.BYTES, reader.regionKey()));
                }
            }
            assertArrayEquals(before, writer.readBytes(0, length));
        }
    }

    @Test
    void shouldLetReadersLookUpInAllWays() throws IOException
    {
        try (StoreServer server = StoreServer.start(options());
            TestClient writer = connected(server, WRITER, null);
            TestClient reader = connected(server, READER, null))
        {
            assertEquals(Status.OK, writer.put(KEY, VALUE).status());
            assertEquals(Status.OK, writer.putLarge("large", LARGE).status());
            assertArrayEquals(VALUE, reader.lookUp(KEY));
            assertArrayEquals(VALUE, reader.get(KEY).value());
            final TestClient.Got large = reader.get("large");
            assertEquals(LARGE.length, large.length());
            assertEquals(Status.OK, reader.release(0, large.extent()));
            assertEquals(Status.OK, reader.stat(0).status());
            reader.bootstrap().heartbeat();
            reader.bootstrap().totals();
            assertArrayEquals(VALUE, reader.get(KEY).value());
        }
    }

    @Test
    void shouldResumeNoSessionOfOtherRights() throws IOException
    {
        try (StoreServer server = StoreServer.start(options()))
        {
            final TestBootstrap.Welcome written;
            final TestBootstrap.Welcome read;
            try (TestClient writer = connected(server, WRITER, null);
                TestClient reader = connected(server, READER, null))
            {
                assertEquals(Status.OK, writer.put(KEY, VALUE).status());
                written = writer.welcome();
                read = reader.welcome();
            }
            try (TestClient reader = connected(server, READER, written))
            {
                assertFalse(reader.welcome().isResumed());
                assertNotEquals(written.session(), reader.welcome().session());
                assertEquals(Status.READ_ONLY, reader.put(KEY, OTHER).status());
            }
            try (TestClient writer = connected(server, WRITER, read))
            {
                assertFalse(writer.welcome().isResumed());
                assertArrayEquals(VALUE, writer.get(KEY).value());
            }
            try (TestBootstrap again = new TestBootstrap(server.address()))
            {
                assertTrue(again.hello(Bootstrap.VERSION, "shm", WRITER, written).isResumed());
            }
            try (TestBootstrap again = new TestBootstrap(server.address()))
            {
                assertTrue(again.hello(Bootstrap.VERSION, "shm", READER, read).isResumed());
            }
        }
    }

    @Test
    void shouldRefuseToBackUpForReaders() throws IOException
    {
        final ServerOptions options = options().data(DataOptions.in(directory.resolve("data")));
        try (StoreServer server = StoreServer.start(options))
        {
            for (final String wanted : new String[]{Bootstrap.BACKUP, Bootstrap.FORM})
            {
                try (TestBootstrap reader = new TestBootstrap(server.address()))
                {
                    reader.sendHello(Bootstrap.VERSION, wanted, READER, null);
                    final TestBootstrap.Refusal refusal = reader.refusal();
                    assertEquals(RefusalCode.READ_ONLY, refusal.code());
                    assertTrue(refusal.reason().startsWith("client may only look up at this server"), refusal.reason());
                }
            }
            // The acceptor tells numbers of its last turn.
            Await.until("both are counted", () -> server.metrics().sessions().refusals().get("read_only") == 2);
        }
    }

    @Test
    void shouldEndSessionsWhoseTokenIsRemovedOrLosesRights() throws IOException
    {
        try (CapturedLog log = new CapturedLog();
            StoreServer server = StoreServer.start(options());
            TestClient writer = connected(server, WRITER, null);
            TestClient reader = connected(server, READER, null))
        {
            assertEquals(Status.OK, writer.put(KEY, VALUE).status());
            replace(readers, "nobody:else\n");
            assertEquals("token is not valid any more", reader.bootstrap().goodbye());
            assertEquals(1, log.count("session ended, its token is not valid any more: session="));
            assertTrue(log.text().contains("identity=reports"), log.text());
            assertFalse(log.text().contains(READER) || log.text().contains("else"), log.text());
            assertThrows(IOException.class, () -> connected(server, READER, reader.welcome()));
            assertEquals(Status.OK, writer.put(KEY, OTHER).status(), "others go on");

            // What is no good is passed over, and said once.
            replace(readers, "nonsense\n");
            Await.until("a line", () -> log.count("changed token files are unusable") > 0);
            assertEquals(Status.OK, writer.put(KEY, VALUE).status());

            // A writer becomes a reader.
            replace(writers, "other:other-secret\n");
            replace(readers, "batch:" + WRITER + "\n");
            assertEquals("token is not valid any more", writer.bootstrap().goodbye());
            try (TestClient now = connected(server, WRITER, writer.welcome()))
            {
                assertFalse(now.welcome().isResumed());
                assertEquals(Status.READ_ONLY, now.put(KEY, OTHER).status());
                assertArrayEquals(VALUE, now.get(KEY).value());
            }
        }
    }

    /** At one moment, as an operator should. */
    private void replace(final Path file, final String content) throws IOException
    {
        final Path next = Files.writeString(directory.resolve("next"), content);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private ServerOptions options() throws IOException
    {
        final Tokens tokens = TokenFiles.load(null, null, writers, readers);
        return new ServerOptions().listenPort(0).memory(64 << 20).shards(1).device("shm").tokens(tokens);
    }

    private static TestClient connected(
        final StoreServer server, final String token, final TestBootstrap.Welcome resume) throws IOException
    {
        return TestClient.connected(server, server.device().startsWith("tcp") ? "tcp" : "shm", token, resume);
    }

    private static ShardMetrics metrics(final StoreServer server)
    {
        return server.metrics().shards().get(0);
    }
}
