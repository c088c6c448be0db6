package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.session.Counters;
import org.onesided.client.session.FakeServer;
import org.onesided.client.session.FakeSession;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.TestMemory;
import org.onesided.protocol.rpc.codec.GetAnswerEncoder;
import org.onesided.protocol.rpc.codec.LeaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.LeaseRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.Status;

/** Lookups count only under a lease that is held before their first READ or request, and after the last. */
class LeasedLookupTest
{
    private static final long LONG_NS = 10_000_000_000L;
    private static final long LEASE_NS = 1_000_000;

    private final FakeSession session = new FakeSession(LONG_NS);
    private final List<String> events = new ArrayList<>();
    private final List<Integer> absent = new ArrayList<>();
    private long nowNs = 5_000_000;
    private RequestEngine engine;
    private FakeServer server;
    private FakeWire wire;
    private SessionGets gets;
    /** How many READs or lookups by request take as long as a lease. */
    private int slow;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        engine = new RequestEngine(session.operation(), session.reconnector(), session.counters());
        server = session.attach(engine.requests());
        server.needLeases(LEASE_NS, () -> nowNs);
        gets = new SessionGets(
            new Reads(session.counters(), session.buffers()::longRecord), engine.requests(), session.operation(),
            session.reconnector(), session.buffers(), session.counters());
        session.lose();
        session.operation().begin(Operation.GET, 3);
        session.operation().keySpace().putBytes(0, TestMemory.bytes("key"));
        session.reconnector().attached(WriteFate.NONE);
        wire = server.wire();
        wire.onSend(this::answer);
        wire.onRead(() -> take("read"));
    }

    @AfterEach
    void free()
    {
        session.close();
        server.close();
    }

    private void take(final String event)
    {
        events.add(event);
        if (slow > 0)
        {
            slow--;
            nowNs += LEASE_NS;
        }
    }

    private void answer()
    {
        final UnsafeBuffer request = new UnsafeBuffer(wire.sent.get(wire.sent.size() - 1));
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final long id = new LeaseRequestDecoder().wrapAndApplyHeader(fit(request), 0, header).requestId();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final int length;
        if (isLease(request))
        {
            events.add("lease");
            length = new LeaseAnswerEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
                .requestId(id).life(1).term(4).limit();
        }
        else
        {
            take("ask");
            length = new GetAnswerEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
                .requestId(id).version(0).extent(0).wholeLength(0).check(0).expiry(0).status(Status.NOT_FOUND)
                .putValue(new byte[0], 0, 0).limit();
        }
        wire.answer(Arrays.copyOf(message.byteArray(), length));
    }

    private static boolean isLease(final DirectBuffer request)
    {
        return new MessageHeaderDecoder().wrap(request, 0).templateId() == LeaseRequestDecoder.TEMPLATE_ID;
    }

    /** As a request for a lease: the id is the first field of every request. */
    private static UnsafeBuffer fit(final DirectBuffer request)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[request.capacity()]);
        copy.putBytes(0, request, 0, request.capacity());
        new MessageHeaderEncoder().wrap(copy, 0).templateId(LeaseRequestDecoder.TEMPLATE_ID);
        return copy;
    }

    @Test
    void shouldGetALeaseBeforeTheFirstRead()
    {
        assertEquals(SessionGets.ABSENT, gets.find());

        assertEquals(List.of("lease", "read"), events);
    }

    @Test
    void shouldGetOneLeaseForManyLookups()
    {
        gets.find();
        gets.find();

        assertEquals(List.of("lease", "read", "read"), events);
    }

    /** A client that looks at the clock only before the READ would believe the first one. */
    @Test
    void shouldStartALookupAgainWhoseLeaseEndsBeforeTheReadIsThere()
    {
        slow = 2;
        assertEquals(SessionGets.ABSENT, gets.find());

        assertEquals(List.of("lease", "read", "lease", "read", "lease", "read"), events);
        assertEquals(1, session.count(Counters.MISSES));
    }

    @Test
    void shouldStartALookupByRequestAgainWhoseLeaseEndsBeforeTheAnswerIsThere()
    {
        gets.askFirst(true);
        slow = 1;
        assertEquals(SessionGets.ABSENT, gets.find());

        assertEquals(List.of("lease", "ask", "lease", "ask"), events);
    }

    @Test
    void shouldEndALookupByItsDeadlineIfLeasesAlwaysEndTooSoon()
    {
        slow = Integer.MAX_VALUE;
        session.endOperation();
        session.operation().limit(System.nanoTime() + 20_000_000);
        session.operation().begin(Operation.GET, 3);

        assertThrows(StoreDeadlineException.class, gets::find);
    }

    /** The keys of a batch; each reports that it is absent. */
    private class Keys implements GroupedLookups.Lookups
    {
        private final byte[][] keys;

        Keys(final int count)
        {
            keys = new byte[count][];
            Arrays.setAll(keys, (i) -> TestMemory.bytes("key-" + i));
        }

        @Override
        public int count()
        {
            return keys.length;
        }

        @Override
        public void addTo(final KeyGroup group, final int index)
        {
            group.add(keys[index], BufferUtil.ARRAY_BASE_OFFSET, keys[index].length);
        }

        @Override
        public void beginGroup(final int first)
        {
            // The deadline is that of the operation.
        }

        @Override
        public void awaitGroup(final int first)
        {
            // The deadline is that of the operation.
        }

        @Override
        public void beginAlone(final int index)
        {
            session.operation().key(keys[index], BufferUtil.ARRAY_BASE_OFFSET, keys[index].length);
            session.operation().nextKey(keys[index].length);
        }

        @Override
        public void beginAlone(final int index, final long keyAddress, final int keyLength)
        {
            session.operation().key(null, keyAddress, keyLength);
            session.operation().nextKey(keyLength);
        }

        @Override
        public void onValue(final int index, final DirectBuffer value, final long tableId, final long version)
        {
            assertEquals(null, value);
            absent.add(index);
        }

        @Override
        public void onGroupFailure(final StoreException failure)
        {
            throw failure;
        }

        @Override
        public void onFailure(final int index, final StoreException failure)
        {
            throw failure;
        }
    }

    private void runBatch(final int count)
    {
        new GroupedLookups(session.operation(), session.reconnector(), session.counters(), gets).run(new Keys(count));
    }

    @Test
    void shouldGetALeaseBeforeAGroup()
    {
        runBatch(4);

        assertEquals(List.of("lease", "read", "read", "read", "read"), events);
        assertEquals(List.of(0, 1, 2, 3), absent);
    }

    /** All keys of the group are looked up again, each under a lease. */
    @Test
    void shouldStartAGroupAgainWhoseLeaseEndsBeforeItsReadsAreThere()
    {
        slow = 1;
        runBatch(4);

        assertEquals(
            List.of("lease", "read", "read", "read", "read", "lease", "read", "read", "read", "read"), events);
        assertEquals(List.of(0, 1, 2, 3), absent);
    }

    /** The second group has no time for a lease; the READs of the first are under way, and have time. */
    @Test
    void shouldKeepTheReadsOfAGroupWhoseNextHasNoTime()
    {
        final int attachments = server.wires.size();
        wire.holdReads(Integer.MAX_VALUE);
        final List<String> failures = new ArrayList<>();
        new GroupedLookups(session.operation(), session.reconnector(), session.counters(), gets).run(new Keys(8)
        {
            @Override
            public void beginGroup(final int first)
            {
                awaitGroup(first);
                if (first == 4)
                {
                    session.operation().deadline().at(System.nanoTime());
                    nowNs += LEASE_NS;
                    wire.onSend(() -> { });
                }
            }

            @Override
            public void awaitGroup(final int first)
            {
                session.operation().deadline().at(System.nanoTime() + LONG_NS);
            }

            @Override
            public void beginAlone(final int index)
            {
                awaitGroup(index);
                super.beginAlone(index);
            }

            @Override
            public void onGroupFailure(final StoreException failure)
            {
                failures.add(failure.getClass().getSimpleName());
                wire.onSend(LeasedLookupTest.this::answer);
                answer();
                wire.holdReads(3);
            }
        });

        assertEquals(List.of("StoreDeadlineException"), failures);
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), absent);
        assertEquals(attachments, server.wires.size());
    }

    /** The READs of the second group are under way while the first is judged: its own lease counts. */
    @Test
    void shouldCheckEachGroupByItself()
    {
        gets.find();
        events.clear();
        wire.onRead(() ->
        {
            take("read");
            slow = events.size() == 5 ? 1 : 0;
        });
        runBatch(8);

        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), absent);
        assertTrue(events.size() > 8, events.toString());
        assertTrue(events.contains("lease"), events.toString());
    }
}
