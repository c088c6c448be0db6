package org.onesided.client.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.agrona.UnsafeApi;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.Segments;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.types.ServerInfo;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.SendRequests;

/**
 * A server with one shard that a session attaches to. Each attachment has a wire of its own, whose peer is the test.
 */
public final class FakeServer implements Reconnector.Source, AutoCloseable
{
    /** Requests that may be outstanding. */
    public static final int CREDITS = 4;
    static final int MESSAGE_LENGTH = 256;
    static final String ADDRESS = "127.0.0.1:1";

    private static final long MIRROR_LENGTH = 1 << 16;
    private static final long HEAP = 8192;
    private static final int READ_DEPTH = 8;
    private static final long READ_SPACE_LENGTH = 1 << 19;
    private static final long HEAP_LENGTH = 1 << 20;
    static final Superblock SUPERBLOCK = new Superblock(11, 22, 3, HEAP + HEAP_LENGTH, 33, 44, List.of(
        new ShardLayout(4096, 4, 1, 4096 + 4 * BucketDescriptor.LENGTH, 4, HEAP, HEAP_LENGTH)));

    /** How one attachment ended. */
    private final class FakeLine implements Connection.Line
    {
        @Override
        public String lastWords()
        {
            return lastWords;
        }

        @Override
        public SessionTotals reported(final Deadline of)
        {
            return SessionTotals.NONE;
        }

        @Override
        public void leave(final String reason)
        {
            ends.add("left");
        }

        @Override
        public void drop()
        {
            ends.add("dropped");
        }
    }

    private final TestMemory memory = new TestMemory();
    private final Resources resources = new Resources();
    private final RegisteredBuffer batchSpace = memory.buffer(READ_SPACE_LENGTH);
    private final Deadline deadline;
    private final PendingRequests requests;
    private long memoryId = 1;
    private Table table = table();
    private IntConsumer onAttach = number -> { };
    private boolean remembersSessions = true;
    private boolean takesBatches = true;
    private long leaseNs;
    private LongSupplier leaseClock;
    private HeldLease sharedLease;
    private AttachFailedException refusal;
    private String lastWords;

    /** Of leases. */
    public final Counters counters = new Counters();
    /** Of each attachment. */
    public final List<FakeWire> wires = new ArrayList<>();
    /** How attachments ended: left or dropped. */
    public final List<String> ends = new ArrayList<>();
    /** Of each attempt to attach, the session that was to be resumed. */
    public final List<SessionIdentity> attempts = new ArrayList<>();

    /** Address of the table's memory as far as its heap: four live buckets, all empty. */
    private long index()
    {
        final long address = memory.buffer(HEAP).range().address();
        UnsafeApi.setMemory(null, address, HEAP, (byte)0);
        for (int i = 0; i < 4; i++)
        {
            UnsafeApi.putLong(address + 4096 + (long)i * BucketDescriptor.LENGTH + BucketDescriptor.HEADER_OFFSET,
                BucketDescriptor.header(BucketDescriptor.LIVE, SUPERBLOCK.epoch(), 0, -1));
        }
        return address;
    }

    private Table table()
    {
        return new Table(SUPERBLOCK, memoryId, MIRROR_LENGTH, length ->
        {
            final MemoryRange range = resources.add(new NativeArray(length)).range();
            return new DeviceMemory()
            {
                @Override
                public MemoryRange range()
                {
                    return range;
                }

                @Override
                public void close()
                {
                    // The array is closed with the server.
                }
            };
        });
    }

    FakeServer(final Deadline deadline, final PendingRequests requests)
    {
        this.deadline = deadline;
        this.requests = requests;
    }

    /** The server forgets all sessions, as when it starts anew. */
    public void forgetSessions()
    {
        remembersSessions = false;
    }

    /**
     * @param takes whether the server takes several puts in one message from here on, as another version.
     */
    public void takeBatches(final boolean takes)
    {
        takesBatches = takes;
    }

    /** From here on another process serves the same table, in memory of its own; it remembers the sessions. */
    public void restart()
    {
        memoryId++;
        table = table();
    }

    /**
     * Attempts to attach fail from here on.
     *
     * @param failure of each, or null for not any more.
     */
    public void refuse(final AttachFailedException failure)
    {
        refusal = failure;
    }

    /** What the server says of why it ended the session. */
    void say(final String words)
    {
        lastWords = words;
    }

    /**
     * Lets sessions that attach from here on ask for leases.
     *
     * @param forNs length of a lease.
     * @param clock by which the session counts.
     */
    public void needLeases(final long forNs, final LongSupplier clock)
    {
        leaseNs = forNs;
        leaseClock = clock;
    }

    /**
     * @param lease of the attachments that follow, which other sessions share.
     */
    public void shareLease(final HeldLease lease)
    {
        sharedLease = lease;
    }

    private HeldLease lease()
    {
        return sharedLease == null ? new HeldLease(memoryId, leaseNs, leaseClock) : sharedLease;
    }

    /**
     * @param action what happens when a session has attached for the n-th time, from 0.
     */
    public void onAttach(final IntConsumer action)
    {
        onAttach = action;
    }

    /**
     * @return the wire of the latest attachment.
     */
    public FakeWire wire()
    {
        return wires.get(wires.size() - 1);
    }

    Attachment attach() throws AttachFailedException
    {
        return attach(SessionIdentity.NONE);
    }

    @Override
    public Attachment attach(final SessionIdentity resume) throws AttachFailedException
    {
        attempts.add(resume);
        if (refusal != null)
        {
            throw refusal;
        }
        final boolean isResumed = remembersSessions && !resume.equals(SessionIdentity.NONE);
        final FakeWire wire = new FakeWire();
        final CompletionLoop loop =
            resources.add(new CompletionLoop(wire, FakeWire.silentChannel(), deadline, 0));
        final QueuePair[] queuePairs = {wire};
        final SessionIdentity identity = new SessionIdentity(1, wires.size() + 1, 2, 3);
        final BootstrapConnection.Welcome welcome = new BootstrapConnection.Welcome(
            identity, isResumed, 1, ServedShards.all(1), CREDITS, MESSAGE_LENGTH, 1 << 20, 1000, false,
            1 << 20, memoryId, "none", 0, false, takesBatches);
        final PendingRequests.Link link = requests.link(
            welcome,
            queuePairs,
            loop,
            memory.buffer(requests.spaceLength(welcome)),
            0,
            (owner, length) -> memory.buffer(length),
            resources);
        final VerbsReader reader = new VerbsReader(
            queuePairs, loop, new Segments(List.of(new Segments.Segment(0, HEAP, index(), 1))), null,
            resources.add(new SendRequests(READ_DEPTH, 1)), READ_DEPTH, HEAP);
        wires.add(wire);
        final Attachment attachment = new Attachment(
            new Connection(new Resources(), 1, queuePairs, loop, new FakeLine()),
            new ServerInfo(
                ADDRESS, 1, 1, 1, "fake", 1, CREDITS, MESSAGE_LENGTH, 4096, 1 << 20, 1 << 20, false, 1000,
                "none", 0),
            identity,
            isResumed,
            table,
            reader,
            new Confirmation(table, loop, () -> {}, 0),
            new AccessSampler(false, () -> {}, () -> {}),
            memory.buffer(READ_SPACE_LENGTH),
            () -> batchSpace,
            link,
            leaseNs == 0 ? ReadLease.ALWAYS : link.lease(lease(), counters));
        onAttach.accept(wires.size() - 1);
        return attachment;
    }

    @Override
    public void close()
    {
        resources.close();
        memory.close();
    }
}
