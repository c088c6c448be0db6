package org.onesided.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ComputedAnswerDecoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.IncrementRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.TestClient.Write;
import org.onesided.server.shard.RequestKind;

/**
 * Increments and appends by requests, as a session sees their answers.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CountersTest
{
    private static final String KEY = "key";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private StoreServer server;
    private TestClient client;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        CloseHelper.close(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAnswerWithTheNumberAndWhereTheKeyIs(final String device) throws IOException
    {
        start(device);
        final ComputedAnswerDecoder first = decoded(increment(client, client.nextId(0), 5, 10));
        assertEquals(15, first.result());
        final ComputedAnswerDecoder second = decoded(increment(client, client.nextId(0), 5, 10));
        assertEquals(20, second.result());
        assertTrue(second.version() > first.version());
        assertArrayEquals("20".getBytes(US_ASCII), client.lookUp(KEY));
        // A put of as many granules is in the same place.
        assertEquals(client.put(KEY, new byte[2]).slotWord(), second.slotWord());
        assertEquals(2L, server.metrics().shards().get(0).requests().get(RequestKind.INCREMENT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAppendBeyondAMessage(final String device) throws IOException
    {
        start(device);
        final byte[] more = new byte[4096];
        Arrays.fill(more, (byte)'m');
        for (int i = 1; i <= 16; i++)
        {
            assertEquals(i * 4096, result(append(client, client.nextId(0), more)));
        }
        final byte[] whole = new byte[65_536];
        Arrays.fill(whole, (byte)'m');
        assertArrayEquals(whole, client.lookUp(KEY));
        assertEquals(refused(Status.VALUE_TOO_LONG), TestClient.write(append(client, client.nextId(0), new byte[1])));
        assertArrayEquals(whole, client.lookUp(KEY));
        assertEquals(17L, server.metrics().shards().get(0).requests().get(RequestKind.APPEND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCountWhatItRefuses(final String device) throws IOException
    {
        start(device);
        client.put(KEY, "text".getBytes(US_ASCII));
        assertEquals(refused(Status.NOT_A_NUMBER), TestClient.write(increment(client, client.nextId(0), 1, 0)));
        client.put(KEY, "9223372036854775807".getBytes(US_ASCII));
        assertEquals(refused(Status.OUT_OF_BOUNDS), TestClient.write(increment(client, client.nextId(0), 1, 0)));
        assertEquals(refused(Status.INVALID), TestClient.write(append(client, client.nextId(0), new byte[4097])));
        assertEquals(3, client.stat(0).refused());
        assertArrayEquals("9223372036854775807".getBytes(US_ASCII), client.lookUp(KEY));
    }

    /** What was executed is not computed again: neither from the own result, nor from that of another session. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAnswerAResumedSessionAsBefore(final String device) throws IOException
    {
        start(device);
        final byte[] one = increment(client, 1, 1, 0);
        final byte[] appended = append(client, 2, "0".getBytes(US_ASCII));
        final byte[] refused = append(client, 3, new byte[4097]);
        final TestBootstrap.Welcome welcome = client.welcome();
        client.close();

        final TestClient resumed = opened(TestClient.connected(server, welcome));
        assertTrue(resumed.welcome().isResumed());
        assertArrayEquals(one, increment(resumed, 1, 1, 0));
        final TestClient other = opened(TestClient.connected(server));
        assertEquals(15, result(increment(other, 1, 5, 0)));
        assertArrayEquals(one, increment(resumed, 1, 1, 0));
        assertArrayEquals(appended, append(resumed, 2, "0".getBytes(US_ASCII)));
        assertArrayEquals(refused, append(resumed, 3, new byte[4097]));
        assertArrayEquals("15".getBytes(US_ASCII), resumed.lookUp(KEY));
    }

    private void start(final String device) throws IOException
    {
        server = StoreServer.start(new ServerOptions().listenPort(0).memory(64 << 20).device(device));
        client = opened(TestClient.connected(server));
    }

    private static Write refused(final Status status)
    {
        return new Write(status, 0, 0);
    }

    private byte[] increment(final TestClient by, final long id, final long delta, final long initial)
    {
        by.send(0, new IncrementRequestEncoder().wrapAndApplyHeader(by.outgoing(), 0, header)
            .requestId(id).delta(delta).initial(initial).expiry(0).expiryKind(ExpiryKind.KEEP)
            .putKey(KEY.getBytes(US_ASCII), 0, KEY.length()).limit());
        return by.answer();
    }

    private byte[] append(final TestClient by, final long id, final byte[] more)
    {
        by.send(0, new AppendRequestEncoder().wrapAndApplyHeader(by.outgoing(), 0, header)
            .requestId(id).expiry(0).expiryKind(ExpiryKind.KEEP).putKey(KEY.getBytes(US_ASCII), 0, KEY.length())
            .putValue(more, 0, more.length).limit());
        return by.answer();
    }

    private static long result(final byte[] answer)
    {
        return decoded(answer).result();
    }

    private static ComputedAnswerDecoder decoded(final byte[] answer)
    {
        return new ComputedAnswerDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(answer), 0, new MessageHeaderDecoder());
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
