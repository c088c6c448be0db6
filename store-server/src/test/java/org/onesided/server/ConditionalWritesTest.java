package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.TestClient.Write;
import org.onesided.verbs.MemoryRegion;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConditionalWritesTest
{
    private static final String KEY = "key";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private StoreServer server;
    private TestClient client;
    private long table;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        CloseHelper.close(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldPutAnAbsentKeyOnce(final String device) throws IOException
    {
        start(device);
        final Write first = put(ConditionKind.ABSENT, 0, "first");
        assertEquals(Status.OK, first.status());
        final Write second = put(ConditionKind.ABSENT, 0, "second");
        assertEquals(conflict(first.version()), second);
        assertArrayEquals(bytes("first"), client.lookUp(KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldPutAPresentKeyOnly(final String device) throws IOException
    {
        start(device);
        assertEquals(conflict(0), put(ConditionKind.PRESENT, 0, "first"));
        assertNull(client.lookUp(KEY));
        client.put(KEY, bytes("first"));
        assertEquals(Status.OK, put(ConditionKind.PRESENT, 0, "second").status());
        assertArrayEquals(bytes("second"), client.lookUp(KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldPutAndDeleteTheExpectedVersionOnly(final String device) throws IOException
    {
        start(device);
        final Write first = client.put(KEY, bytes("first"));
        final Write second = put(ConditionKind.VERSION, first.version(), "second");
        assertEquals(Status.OK, second.status());
        assertEquals(conflict(second.version()), put(ConditionKind.VERSION, first.version(), "third"));
        assertEquals(conflict(second.version()), delete(first.version()));
        assertArrayEquals(bytes("second"), client.lookUp(KEY));
        assertEquals(Status.OK, delete(second.version()).status());
        assertNull(client.lookUp(KEY));
        assertEquals(conflict(0), delete(second.version()));
        assertEquals(conflict(0), put(ConditionKind.VERSION, second.version(), "third"));
        assertEquals(conflict(0), put(ConditionKind.VERSION, 0, "third"));
        assertNull(client.lookUp(KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldNotTakeAKeyThatWasPutAnewForTheOldOne(final String device) throws IOException
    {
        start(device);
        final Write first = client.put(KEY, bytes("value"));
        client.delete(KEY);
        final Write anew = client.put(KEY, bytes("value"));
        assertNotEquals(first.version(), anew.version());
        assertEquals(conflict(anew.version()), delete(first.version()));
        assertEquals(conflict(anew.version()), put(ConditionKind.VERSION, first.version(), "second"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldNotTakeAVersionOfAnotherTableForOneOfItsOwn(final String device) throws IOException
    {
        start(device);
        final Write first = client.put(KEY, bytes("value"));
        final long before = table;
        close();
        opened.clear();
        start(device);
        // A server that has just started gives out the same numbers.
        final Write again = client.put(KEY, bytes("value"));
        assertEquals(first.version(), again.version());
        assertNotEquals(before, table);
        table = before;
        assertEquals(conflict(again.version()), put(ConditionKind.VERSION, first.version(), "second"));
        assertEquals(conflict(again.version()), putLarge(client, ConditionKind.VERSION, first.version(), 100_000));
        assertEquals(conflict(again.version()), delete(first.version()));
        assertArrayEquals(bytes("value"), client.lookUp(KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldPullAValueIfItsConditionHolds(final String device) throws IOException
    {
        start(device);
        final int length = 1 << 20;
        final Write first = putLarge(client, ConditionKind.ABSENT, 0, length);
        assertEquals(Status.OK, first.status());
        assertEquals(conflict(first.version()), putLarge(client, ConditionKind.ABSENT, 0, length));
        final Write second = putLarge(client, ConditionKind.VERSION, first.version(), length);
        assertEquals(Status.OK, second.status());
        assertEquals(conflict(second.version()), putLarge(client, ConditionKind.VERSION, first.version(), length));
        assertEquals(2L * length, client.stat(0).bytesPulled());
    }

    /** What was executed is not evaluated again: otherwise the first one would meet itself. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAnswerAResumedSessionAsBefore(final String device) throws IOException
    {
        start(device);
        sendPut(client, 1, ConditionKind.ABSENT, 0, "first");
        final Write done = TestClient.write(client.answer());
        assertEquals(Status.OK, done.status());
        sendPut(client, 2, ConditionKind.ABSENT, 0, "second");
        final Write refused = TestClient.write(client.answer());
        assertEquals(conflict(done.version()), refused);
        final TestBootstrap.Welcome welcome = client.welcome();
        client.close();

        final TestClient resumed = opened(TestClient.connected(server, welcome));
        assertTrue(resumed.welcome().isResumed());
        // First the key is present, by this very request; then it is absent, though the second one was refused.
        sendPut(resumed, 1, ConditionKind.ABSENT, 0, "first");
        assertEquals(done, TestClient.write(resumed.answer()));
        final TestClient other = opened(TestClient.connected(server));
        other.delete(KEY);
        sendPut(resumed, 1, ConditionKind.ABSENT, 0, "first");
        assertEquals(done, TestClient.write(resumed.answer()));
        sendPut(resumed, 2, ConditionKind.ABSENT, 0, "second");
        assertEquals(refused, TestClient.write(resumed.answer()));
        assertNull(resumed.lookUp(KEY));
    }

    private void start(final String device) throws IOException
    {
        server = StoreServer.start(new ServerOptions().listenPort(0).memory(64 << 20).device(device));
        client = opened(TestClient.connected(server));
        table = client.superblock().tableId();
    }

    /** Answer to a write whose condition does not hold. */
    private static Write conflict(final long present)
    {
        return new Write(Status.CONFLICT, present, 0);
    }

    private Write put(final ConditionKind condition, final long version, final String value)
    {
        sendPut(client, client.nextId(0), condition, version, value);
        return TestClient.write(client.answer());
    }

    private void sendPut(
        final TestClient by, final long id, final ConditionKind condition, final long version, final String value)
    {
        by.send(0, new QualifiedPutRequestEncoder().wrapAndApplyHeader(by.outgoing(), 0, header)
            .requestId(id).tableId(table).expectedVersion(version).condition(condition)
            .expiry(0).expiryKind(ExpiryKind.KEEP).putKey(bytes(KEY), 0, KEY.length())
            .putValue(bytes(value), 0, value.length()).limit());
    }

    private Write putLarge(final TestClient by, final ConditionKind condition, final long version, final int length)
    {
        final MemoryRegion value = by.lend(new byte[length]);
        by.send(0, new QualifiedPutLargeRequestEncoder().wrapAndApplyHeader(by.outgoing(), 0, header)
            .requestId(by.nextId(0)).valueAddress(value.range().address()).valueLength(length)
            .valueKey(value.remoteKey() & 0xFFFF_FFFFL)
            .tableId(table).expectedVersion(version).condition(condition)
            .expiry(0).expiryKind(ExpiryKind.KEEP).putKey(bytes(KEY), 0, KEY.length()).limit());
        return TestClient.write(by.answer());
    }

    private Write delete(final long version)
    {
        client.send(0, new ConditionalDeleteRequestEncoder().wrapAndApplyHeader(client.outgoing(), 0, header)
            .requestId(client.nextId(0)).tableId(table).expectedVersion(version).condition(ConditionKind.VERSION)
            .putKey(bytes(KEY), 0, KEY.length()).limit());
        return TestClient.write(client.answer());
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
