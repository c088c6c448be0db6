package org.onesided.server.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;

class PostingsTest
{
    private final Postings postings = new Postings();
    private final NativeArray text = new NativeArray(8);
    private final List<String> posted = new ArrayList<>();
    private final QueuePairLife first = life("first");
    private final QueuePairLife second = life("second");
    private int error;

    @AfterEach
    void close()
    {
        postings.close();
        text.close();
    }

    @Test
    void shouldPostAChainOfReceivesAndThenOneOfSends()
    {
        for (int i = 0; i < 3; i++)
        {
            answer(first);
        }
        assertEquals(List.of(), posted);
        postings.flush();
        assertEquals(List.of("first receives 3", "first sends 3"), posted);
        postings.flush();
        assertEquals(2, posted.size());
    }

    @Test
    void shouldPostWhatOneQueuePairHasBeforeAnotherOnes()
    {
        answer(first);
        answer(second);
        send(second);
        answer(first);
        postings.flush();
        assertEquals(List.of(
            "first receives 1", "first sends 1", "second receives 1", "second sends 2", "first receives 1",
            "first sends 1"), posted);
    }

    @Test
    void shouldPostALongChainInParts()
    {
        for (int i = 0; i < 20; i++)
        {
            answer(first);
        }
        postings.flush();
        assertEquals(List.of(
            "first receives 8", "first sends 8", "first receives 8", "first sends 8", "first receives 4",
            "first sends 4"), posted);
    }

    @Test
    void shouldKeepEachInlineAnswerUntilItIsPosted()
    {
        final long[] places = new long[3];
        for (int i = 0; i < places.length; i++)
        {
            UnsafeApi.putLong(text.range().address(), i);
            places[i] = postings.copy(first, text.range().address(), Long.BYTES);
            send(first);
        }
        for (int i = 0; i < places.length; i++)
        {
            assertEquals(i, UnsafeApi.getLong(places[i]));
        }
    }

    @Test
    void shouldEndAQueuePairThatCannotPost()
    {
        error = 12;
        answer(first);
        postings.flush();
        assertEquals(List.of("first receives 1"), posted);
        assertTrue(first.isEnding());
        assertTrue(first.reason().contains("errno=12"), first.reason());
        answer(first);
        postings.flush();
        assertEquals(1, posted.size());
    }

    private void answer(final QueuePairLife life)
    {
        postings.receive(life).begin(1);
        send(life);
    }

    private void send(final QueuePairLife life)
    {
        postings.send(life).begin(1, Opcode.SEND, 0);
    }

    private QueuePairLife life(final String name)
    {
        final QueuePair queuePair = (QueuePair)Proxy.newProxyInstance(
            QueuePair.class.getClassLoader(), new Class<?>[]{QueuePair.class}, (proxy, method, arguments) ->
                switch (method.getName())
                {
                    case "postReceive" -> post(name + " receives ", (long)arguments[0]);
                    case "postSend" -> post(name + " sends ", (long)arguments[0]);
                    case "initAttributes" ->
                        new QueuePairInitAttributes(null, null, null, 36, 16, 1, 1, 128, false, true);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return new QueuePairLife(queuePair, 0, 1, () -> {}, () -> {});
    }

    /** Both kinds of requests have their next one's address behind their id. */
    private int post(final String what, final long chain)
    {
        int length = 0;
        for (long request = chain; request != 0; request = UnsafeApi.getLong(request + Long.BYTES))
        {
            length++;
        }
        posted.add(what + length);
        return error;
    }
}
