package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.ScriptedServer.Step;
import org.onesided.client.types.Waiting;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.QueuePair;

/**
 * Attaches over the device {@code shm} to a server that follows a script. After each test the device closes, which a
 * device refuses while anything made from it is open.
 */
@Timeout(120)
class AttacherTest
{
    private static final Superblock SUPERBLOCK = FakeServer.SUPERBLOCK;
    private static final SessionIdentity EARLIER = new SessionIdentity(SUPERBLOCK.serverLife(), 7, 8, 9);
    private static final ReadDemand READS = new ReadDemand(4, SuperblockDescriptor.LENGTH, 4096);

    /** Requests that are never sent. */
    private final class FakeRequests implements PendingRequests
    {
        private RuntimeException bug;
        private Error error;
        private AttachFailedException misfit;
        private long spaceLength;
        private boolean isResumed;

        @Override
        public long spaceLength(final BootstrapConnection.Welcome welcome)
        {
            return (long)welcome.credits() * welcome.messageLength();
        }

        @Override
        public Link link(
            final BootstrapConnection.Welcome welcome,
            final QueuePair[] queuePairs,
            final CompletionLoop loop,
            final RegisteredBuffer space,
            final int maxInline,
            final RegisteredMemory registered,
            final Resources resources) throws AttachFailedException
        {
            registered.register(resources, 4096);
            if (bug != null)
            {
                throw bug;
            }
            if (error != null)
            {
                throw error;
            }
            if (misfit != null)
            {
                throw misfit;
            }
            spaceLength = space.range().length();
            isResumed = welcome.isResumed();
            return new Link()
            {
                @Override
                public void takeOver()
                {
                    // There are no requests.
                }

                @Override
                public ReadLease lease(final HeldLease held, final Counters counted)
                {
                    throw new AssertionError("the server is alone");
                }
            };
        }

        @Override
        public boolean hasPendingWrites()
        {
            return false;
        }

        @Override
        public void detached()
        {
            throw new AssertionError("not attached yet");
        }

        @Override
        public void abandonAwaited()
        {
            throw new AssertionError("nothing was sent");
        }

        @Override
        public void endOperation()
        {
            throw new AssertionError("no operation began");
        }

        @Override
        public void close()
        {
            throw new AssertionError("not the attacher's");
        }
    }

    private final Deadline deadline = SessionParts.deadline(TimeUnit.SECONDS.toNanos(30));
    private final FakeRequests requests = new FakeRequests();
    private LifeLine lifeLine;
    private ClientDevice device;
    private ScriptedServer server;
    private ClientContext context;

    @BeforeEach
    void open() throws IOException
    {
        lifeLine = LifeLine.share();
        // Unlike the device of other tests in this process: more sessions than they leave room for.
        device = ClientDevice.open(
            new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true), HugePages.OFF, 765);
        serve(SUPERBLOCK);
    }

    private void serve(final Superblock superblock) throws IOException
    {
        server = new ScriptedServer(superblock);
        context = context(new FixedDestination(server.address()));
    }

    private ClientContext context(final Destination destination)
    {
        return new ClientContext(
            new ClientConfiguration(
                destination.text(), new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION,
                TimeUnit.SECONDS.toNanos(30), 1, 1 << 20, HugePages.OFF, Waiting.SLEEPING, (before, now) -> { }, null),
            destination,
            device,
            lifeLine);
    }

    /** Members of a cluster, of which each attempt meets the next. */
    private static final class Members implements Destination
    {
        private final Deque<HostAndPort> addresses;
        private HostAndPort latest;

        Members(final HostAndPort... addresses)
        {
            this.addresses = new ArrayDeque<>(List.of(addresses));
            latest = addresses[0];
        }

        @Override
        public HostAndPort address(final boolean isAnew, final long deadlineNs)
        {
            latest = addresses.remove();
            return latest;
        }

        @Override
        public HostAndPort latest()
        {
            return latest;
        }

        @Override
        public String text()
        {
            return "members";
        }

        @Override
        public int shard()
        {
            return 0;
        }

        @Override
        public long leaseNs()
        {
            return 0;
        }

        @Override
        public long patienceNs()
        {
            return TimeUnit.SECONDS.toNanos(1);
        }

        @Override
        public boolean isMoving()
        {
            return true;
        }

        @Override
        public void check(final Superblock superblock)
        {
            // It is the cluster's.
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() throws Exception
    {
        context.close();
        lifeLine.close();
        assertDoesNotThrow(() -> device.domain().close(), "memory regions or queue pairs are open");
        assertDoesNotThrow(() -> device.context().close(), "memory, completion queues or channels are open");
        device.release();
        server.close();
    }

    private Attachment attach(final SessionIdentity resume) throws AttachFailedException
    {
        return new Attacher(context, deadline, new Counters(), requests, READS).attach(resume);
    }

    private AttachFailedException failed()
    {
        final AttachFailedException failure =
            assertThrows(AttachFailedException.class, () -> attach(SessionIdentity.NONE));
        assertNull(context.server());
        return failure;
    }

    @Test
    void shouldAttach() throws AttachFailedException
    {
        final Attachment attachment = attach(SessionIdentity.NONE);
        try
        {
            assertEquals(SUPERBLOCK, attachment.table().superblock());
            assertEquals(ScriptedServer.MEMORY_ID, attachment.table().memoryId());
            assertEquals(new SessionIdentity(SUPERBLOCK.serverLife(), 1, 2, 3), attachment.identity());
            assertFalse(attachment.isResumed());
            assertFalse(attachment.isLost());
            assertEquals(attachment.server(), context.server());
            assertEquals(ScriptedServer.CREDITS, attachment.server().credits());
            assertEquals(READS.depth(), attachment.reader().depth());
            assertEquals(READS.space(), attachment.readSpace().range().length());
            assertEquals(READS.batchSpace(), attachment.batchSpace().get().range().length());
            assertEquals(ScriptedServer.CREDITS * ScriptedServer.MESSAGE_LENGTH, requests.spaceLength);
            attachment.reader().read(
                0, SuperblockDescriptor.LENGTH, SuperblockDescriptor.LENGTH, attachment.readSpace(), 0);
        }
        finally
        {
            attachment.close();
        }
    }

    @Test
    void shouldResumeASession() throws AttachFailedException
    {
        server.resume();
        try (Attachment attachment = attach(EARLIER))
        {
            assertEquals(EARLIER.session(), server.resumedSession());
            assertEquals(EARLIER, attachment.identity());
            assertTrue(attachment.isResumed());
            assertTrue(requests.isResumed);
        }
    }

    @Test
    void shouldBeginAnotherSessionWhereTheServerForgot() throws AttachFailedException
    {
        try (Attachment attachment = attach(EARLIER))
        {
            assertEquals(EARLIER.session(), server.resumedSession());
            assertFalse(attachment.isResumed());
            assertFalse(requests.isResumed);
        }
    }

    @Test
    void shouldUseNoMoreReadsThanTheServerAnswers() throws AttachFailedException
    {
        server.on(Step.CONNECT, channel -> server.connected(channel, 1));
        try (Attachment attachment = attach(SessionIdentity.NONE))
        {
            assertEquals(1, attachment.reader().depth());
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldFailWhereTheServerHangsUp(final Step step)
    {
        server.on(step, ScriptedServer::hangUp);

        assertEquals(step == Step.HELLO ? Kind.CLOSED : Kind.BUSY, failed().kind());
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldFailWhereTheServerRefuses(final Step step)
    {
        server.on(step, channel -> ScriptedServer.refuse(channel, RefusalCode.CAPACITY));
        final AttachFailedException failure = failed();

        assertEquals(Kind.BUSY, failure.kind());
        assertEquals("server has no room now: not today", failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldFailWhereTheServerAnswersOutOfOrder(final Step step)
    {
        server.on(step, step == Step.READY ? ScriptedServer::connectedToNothing : server::ready);
        final AttachFailedException failure = failed();

        assertEquals(Kind.PERMANENT, failure.kind());
        assertTrue(failure.getMessage().contains("message out of order"), failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldNotWaitBeyondTheDeadline(final Step step)
    {
        server.on(step, server::keepSilent);
        SessionParts.begin(deadline, TimeUnit.MILLISECONDS.toNanos(300));

        assertEquals(Kind.TRANSIENT, failed().kind());
        assertTrue(deadline.remainingNs() <= 0);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void shouldFailWhereItsThreadIsInterrupted(final Step step)
    {
        final Thread self = Thread.currentThread();
        server.on(step, channel ->
        {
            self.interrupt();
            server.keepSilent(channel);
        });

        assertEquals(Kind.INTERRUPTED, failed().kind());
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldTryAgainWhereTheTableHasFewerShards()
    {
        server.on(Step.HELLO, channel -> server.welcome(channel, 2));
        final AttachFailedException failure = failed();

        assertEquals(Kind.TRANSIENT, failure.kind());
        assertTrue(failure.getMessage().contains("not the one that it announced"), failure.getMessage());
    }

    @Test
    void shouldFailWhereTheServerAnswersNoReads()
    {
        server.on(Step.CONNECT, channel -> server.connected(channel, 0));
        final AttachFailedException failure = failed();

        assertEquals(Kind.PERMANENT, failure.kind());
        assertTrue(failure.getMessage().endsWith("server_max_qp_rd_atom=0"), failure.getMessage());
    }

    @Test
    void shouldSayThatReadsFail()
    {
        server.on(Step.READY, channel ->
        {
            server.failQueuePairs();
            server.ready(channel);
        });
        final AttachFailedException failure = failed();

        assertEquals(Kind.NO_WAY, failure.kind());
        assertTrue(failure.getMessage().startsWith("connected, but READs fail: "), failure.getMessage());
    }

    @Test
    void shouldTryAgainWhereTheTableIsOfAnotherLife() throws Exception
    {
        server.close();
        serve(new Superblock(SUPERBLOCK.tableId(), SUPERBLOCK.serverLife() + 1, SUPERBLOCK.epoch(),
            SUPERBLOCK.regionLength(), SUPERBLOCK.hashSeed(), SUPERBLOCK.checkSeed(), SUPERBLOCK.shards()));

        assertEquals(Kind.TRANSIENT, failed().kind());
    }

    @Test
    void shouldFailWhereItsRequestsDoNotFit()
    {
        requests.misfit = new AttachFailedException(Kind.PERMANENT, "too long", null);

        assertEquals(requests.misfit, failed());
    }

    @Test
    void shouldCloseWhatItOpenedUponABug()
    {
        requests.bug = new IllegalStateException("bug");

        assertEquals(requests.bug,
            assertThrows(IllegalStateException.class, () -> attach(SessionIdentity.NONE)));
    }

    @Test
    void shouldCloseWhatItOpenedWhereMemoryEnds()
    {
        requests.error = new OutOfMemoryError("no memory for a test");

        assertEquals(requests.error, assertThrows(OutOfMemoryError.class, () -> attach(SessionIdentity.NONE)));
    }

    /** A program that listens on the port of a dead member ends no operation: another member may lead. */
    @ParameterizedTest
    @EnumSource(value = RefusalCode.class, names = {"VERSION", "CREDENTIALS", "TLS", "PROTOCOL", "BLANK"})
    void shouldNotFailForGoodByWhatAnswersInThePlaceOfAMember(final RefusalCode code) throws IOException
    {
        context.close();
        context = context(new Members(server.address()));
        server.on(Step.HELLO, channel -> ScriptedServer.refuse(channel, code));
        final AttachFailedException failure = failed();

        assertEquals(Kind.STRANGER, failure.kind());
        assertFalse(failure.isFinal());
        assertTrue(failure.getMessage().startsWith("no member of the cluster answers at " + server.address() + ": "),
            failure.getMessage());
        assertEquals(failure.getMessage().substring(failure.getMessage().indexOf(": ") + 2),
            failure.getCause().getMessage());
    }

    @Test
    void shouldSayThatAMemberHasAnotherDevice() throws IOException
    {
        context.close();
        context = context(new Members(server.address()));
        server.on(Step.HELLO, channel -> ScriptedServer.refuse(channel, RefusalCode.DEVICE));

        assertEquals(Kind.DEVICE, failed().kind());
    }

    @Test
    void shouldFailForGoodWithADeviceThatFailsWhileItConnectsToAMember() throws IOException
    {
        context.close();
        context = context(new Members(server.address()));
        server.on(Step.HELLO, channel ->
        {
            device.device().fail("device failed: event=TEST");
            ScriptedServer.refuse(channel, RefusalCode.VERSION);
        });

        assertEquals(Kind.PERMANENT, failed().kind());
    }

    /** A member that leads again may still end what it had of the session before. */
    @Test
    void shouldTryAgainToResumeASessionInACluster() throws Exception
    {
        final ScriptedServer next = new ScriptedServer(SUPERBLOCK);
        try
        {
            next.resume();
            context.close();
            context = context(new Members(server.address(), next.address()));
            final Attacher attacher = new Attacher(context, deadline, new Counters(), requests, READS);
            final AttachFailedException failure =
                assertThrows(AttachFailedException.class, () -> attacher.attach(EARLIER));

            assertEquals(Kind.TRANSIENT, failure.kind());
            try (Attachment attachment = attacher.attach(EARLIER))
            {
                assertEquals(EARLIER, attachment.identity());
                assertTrue(requests.isResumed);
            }
        }
        finally
        {
            context.close();
            next.close();
        }
    }

    @Test
    void shouldNotContactTheServerWithADeviceThatHasFailed()
    {
        final List<String> contacts = new CopyOnWriteArrayList<>();
        server.on(Step.HELLO, channel -> contacts.add("hello"));
        device.device().fail("device failed: event=TEST");
        final AttachFailedException failure = failed();

        assertEquals(Kind.PERMANENT, failure.kind());
        assertTrue(failure.getMessage().contains("device failed: event=TEST"), failure.getMessage());
        assertEquals(List.of(), contacts);
    }
}
