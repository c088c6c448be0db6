package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.ConnectedDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.rpc.codec.DeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestEncoder;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.StatRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.WorkCompletions;

/**
 * A session as bare as it can be, straight on the verbs: it does what tests say, not what a client should.
 */
final class TestClient implements AutoCloseable
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    /** No RNR is forgiven: within its credits a client never meets one. */
    private static final ConnectionOptions OPTIONS =
        ConnectionOptions.defaults(Access.REMOTE_READ).port(1).gidIndex(0).rnr(0, 12);
    private static final int SEND_SLOTS = 256;
    private static final int MAX_RECEIVES = 64;
    private static final int SCRATCH_LENGTH = 64 << 10;
    private static final long SEND = 1L << 40;

    private final MessageHeaderEncoder bootstrapHeader = new MessageHeaderEncoder();
    private final org.onesided.protocol.rpc.codec.MessageHeaderEncoder header =
        new org.onesided.protocol.rpc.codec.MessageHeaderEncoder();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final WorkCompletions completions = new WorkCompletions(16);
    private final SendRequests sends = new SendRequests(1, 1);
    private final ReceiveRequests receives = new ReceiveRequests(1, 1);
    private final Deque<byte[]> answers = new ArrayDeque<>();
    private String device;
    private TestBootstrap bootstrap;
    private MessageChannel channel;
    private Context context;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private MemoryRegion receiveBuffers;
    private MemoryRegion sendBuffer;
    private MemoryRegion large;
    private MemoryRegion scanned;
    private int failure;
    private int sendsDone;
    private int sendCount;
    private Superblock superblock;
    private TestBootstrap.Welcome welcome;
    private long regionAddress;
    private int regionKey;
    private TestSegments segments;
    private final long[] nextId = new long[SuperblockDescriptor.MAX_SHARDS];

    record Write(Status status, long version, long slotWord)
    {
    }

    record Got(Status status, byte[] value, long extent, int length)
    {
    }

    static TestClient connected(final StoreServer server) throws IOException
    {
        return connected(server, null);
    }

    static TestClient connected(final StoreServer server, final TestBootstrap.Welcome resume) throws IOException
    {
        return connected(server, server.device().startsWith("tcp") ? "tcp" : "shm", "", resume);
    }

    static TestClient connected(
        final StoreServer server, final String device, final String token, final TestBootstrap.Welcome resume)
        throws IOException
    {
        final TestClient client = new TestClient();
        try
        {
            client.device = device;
            client.bootstrap = new TestBootstrap(server.address());
            client.welcome = client.bootstrap.hello(Bootstrap.VERSION, device, token, resume);
            client.channel = client.bootstrap.channel();
            client.connectQueuePairs();
            return client;
        }
        catch (final IOException | RuntimeException | Error e)
        {
            CloseHelper.quietClose(client);
            throw e;
        }
    }

    TestBootstrap bootstrap()
    {
        return bootstrap;
    }

    TestBootstrap.Welcome welcome()
    {
        return welcome;
    }

    void connectQueuePairs() throws IOException
    {
        context = opened(Devices.find(device).open());
        domain = opened(context.allocateProtectionDomain());
        queue = opened(context.createCompletionQueue(8192, null, 0));
        final int messageLength = welcome.messageLength();
        receiveBuffers = register((long)welcome.shards() * MAX_RECEIVES * messageLength, Access.LOCAL_WRITE);
        sendBuffer = register(SCRATCH_LENGTH, Access.LOCAL_WRITE);

        final List<Endpoint> locals = new ArrayList<>();
        for (int i = 0; i < welcome.shards(); i++)
        {
            final QueuePair queuePair = opened(domain.createQueuePair(new QueuePairInitAttributes(
                queue, queue, null, SEND_SLOTS, MAX_RECEIVES, 1, 1, 0, false, false)));
            ReliableConnection.initialise(queuePair, OPTIONS);
            queuePairs.add(queuePair);
            locals.add(ReliableConnection.local(context, queuePair, OPTIONS));
            for (int k = 0; k < MAX_RECEIVES; k++)
            {
                postReceive(i, i * MAX_RECEIVES + k);
            }
        }
        final ConnectEncoder connect = new ConnectEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, bootstrapHeader);
        Endpoints.encode(connect, locals);
        channel.send(connect.limit(), deadline());
        final int templateId = channel.receive(deadline());
        if (templateId != ConnectedDecoder.TEMPLATE_ID)
        {
            throw new IOException("not connected: " + bootstrap.refusal(templateId));
        }
        final ConnectedDecoder connected = new ConnectedDecoder()
            .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
        bootstrap.releaseEpoch(connected.releaseEpoch());
        final List<Endpoint> peers = Endpoints.decode(connected);
        final ConnectedDecoder.SegmentsDecoder segment = connected.segments().next();
        regionAddress = segment.address();
        regionKey = (int)segment.remoteKey();
        segments = new TestSegments(connected.directory(), segment.length(), regionKey);
        for (int i = 0; i < welcome.shards(); i++)
        {
            ReliableConnection.connect(queuePairs.get(i), locals.get(i), peers.get(i), OPTIONS);
        }
        channel.send(new ReadyEncoder().wrapAndApplyHeader(channel.outgoing(), 0, bootstrapHeader).limit(), deadline());
        if (channel.receive(deadline()) != ReadyDecoder.TEMPLATE_ID)
        {
            throw new IOException("server is not ready");
        }
        superblock = Superblock.read(read(0, SuperblockDescriptor.LENGTH));
    }

    int shardOf(final String key)
    {
        return KeyHash.shard(hash(key), welcome.shards());
    }

    /** The id of the next request, for a test that sends it by itself. */
    long nextId(final int shard)
    {
        return ++nextId[shard];
    }

    Write put(final String key, final byte[] value)
    {
        final int shard = shardOf(key);
        sendPut(shard, ++nextId[shard], key, value);
        return write(answer());
    }

    Write delete(final String key)
    {
        final int shard = shardOf(key);
        final byte[] bytes = key.getBytes(UTF_8);
        send(shard, new DeleteRequestEncoder().wrapAndApplyHeader(outgoing(), 0, header)
            .requestId(++nextId[shard]).putKey(bytes, 0, bytes.length).limit());
        return write(answer());
    }

    Write putLarge(final String key, final byte[] value)
    {
        final int shard = shardOf(key);
        lend(value);
        sendPutLarge(shard, ++nextId[shard], key, large.range().address(), value.length, large.remoteKey());
        return write(answer());
    }

    /** Puts a value where the server can pull it from; keeps it until the client is closed. */
    MemoryRegion lend(final byte[] value)
    {
        large = register(Math.max(1, value.length), Access.LOCAL_WRITE | Access.REMOTE_READ);
        new UnsafeBuffer(large.range().address(), value.length).putBytes(0, value);
        return large;
    }

    Got get(final String key)
    {
        final int shard = shardOf(key);
        sendGet(shard, ++nextId[shard], key);
        return got(answer());
    }

    Status release(final int shard, final long extent)
    {
        send(shard, new ReleaseRequestEncoder().wrapAndApplyHeader(outgoing(), 0, header)
            .requestId(++nextId[shard]).extent(extent).limit());
        return new ReleaseAnswerDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(answer()), 0, rpcHeader()).status();
    }

    StatAnswerDecoder stat(final int shard)
    {
        send(shard, new StatRequestEncoder().wrapAndApplyHeader(outgoing(), 0, header)
            .requestId(++nextId[shard]).limit());
        return new StatAnswerDecoder().wrapAndApplyHeader(new UnsafeBuffer(answer()), 0, rpcHeader());
    }

    void sendPut(final int shard, final long id, final String key, final byte[] value)
    {
        final byte[] bytes = key.getBytes(UTF_8);
        send(shard, new PutRequestEncoder().wrapAndApplyHeader(outgoing(), 0, header)
            .requestId(id).putKey(bytes, 0, bytes.length).putValue(value, 0, value.length).limit());
    }

    void sendGet(final int shard, final long id, final String key)
    {
        final byte[] bytes = key.getBytes(UTF_8);
        send(shard, new GetRequestEncoder().wrapAndApplyHeader(outgoing(), 0, header)
            .requestId(id).putKey(bytes, 0, bytes.length).limit());
    }

    void sendPutLarge(
        final int shard, final long id, final String key, final long address, final long length, final int remoteKey)
    {
        final byte[] bytes = key.getBytes(UTF_8);
        send(shard, new PutLargeRequestEncoder().wrapAndApplyHeader(outgoing(), 0, header)
            .requestId(id).valueAddress(address).valueLength(length).valueKey(remoteKey & 0xFFFF_FFFFL)
            .putKey(bytes, 0, bytes.length).limit());
    }

    /** Key of the whole table, at the server. */
    int regionKey()
    {
        return regionKey;
    }

    /** Where the table is, at the server. */
    long regionAddress()
    {
        return regionAddress;
    }

    Superblock superblock()
    {
        return superblock;
    }

    UnsafeBuffer outgoing()
    {
        return new UnsafeBuffer(sendBuffer.range().address(), SCRATCH_LENGTH / 2);
    }

    /** Sends what is in {@link #outgoing}, and waits until the server's device has it. */
    void send(final int shard, final int length)
    {
        post(shard, length);
        final int wanted = sendCount;
        while (sendsDone < wanted && failure == 0)
        {
            poll();
        }
    }

    void post(final int shard, final int length)
    {
        sends.at(0).begin(SEND, Opcode.SEND, SendFlags.SIGNALED)
            .element(sendBuffer.range().address(), length, sendBuffer.localKey());
        check(sends.post(queuePairs.get(shard), 1));
        sendCount++;
    }

    /** Does to memory of the server what no client should; gives back how that failed. */
    int fail(final int opcode, final long address, final int length, final int remoteKey)
    {
        final long from = sendBuffer.range().address() + SCRATCH_LENGTH / 2;
        sends.at(0).begin(SEND, opcode, SendFlags.SIGNALED).element(from, length, sendBuffer.localKey());
        if (opcode == Opcode.ATOMIC_CMP_AND_SWP || opcode == Opcode.ATOMIC_FETCH_AND_ADD)
        {
            sends.at(0).atomic(address, remoteKey, 0, 1);
        }
        else
        {
            sends.at(0).remote(address, remoteKey);
        }
        check(sends.post(queuePairs.get(0), 1));
        return awaitFailure();
    }

    /** READs a part of the table. */
    long read(final long tableOffset, final int length)
    {
        final long to = sendBuffer.range().address() + SCRATCH_LENGTH / 2;
        read(tableOffset, length, to, sendBuffer.localKey());
        return to;
    }

    /** READs a part of the table, by way of memory that is used again each time. */
    byte[] readBytes(final long tableOffset, final int length)
    {
        if (scanned == null || scanned.range().length() < length)
        {
            scanned = register(length, Access.LOCAL_WRITE);
        }
        read(tableOffset, length, scanned.range().address(), scanned.localKey());
        final byte[] bytes = new byte[length];
        new UnsafeBuffer(scanned.range().address(), length).getBytes(0, bytes);
        return bytes;
    }

    private void read(final long tableOffset, final int length, final long to, final int localKey)
    {
        long done = 0;
        while (done < length)
        {
            final TestSegments.Segment segment = segments.at(tableOffset + done, this::readDirectory);
            final int piece = (int)Math.min(length - done, segment.end() - tableOffset - done);
            readPiece(tableOffset + done, piece, to + done, localKey, segment.key());
            done += piece;
        }
    }

    /** The segments that there are. */
    List<TestSegments.Segment> segments()
    {
        return segments.all(this::readDirectory);
    }

    private long readDirectory(final long tableOffset, final int length)
    {
        final MemoryRegion space = register(length, Access.LOCAL_WRITE);
        readPiece(tableOffset, length, space.range().address(), space.localKey(), regionKey);
        return space.range().address();
    }

    private void readPiece(
        final long tableOffset, final int length, final long to, final int localKey, final int remoteKey)
    {
        sends.at(0).begin(SEND, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(to, length, localKey)
            .remote(regionAddress + tableOffset, remoteKey);
        check(sends.post(queuePairs.get(0), 1));
        final int wanted = ++sendCount;
        while (sendsDone < wanted)
        {
            poll();
            if (failure != 0)
            {
                throw new IllegalStateException("READ failed: " + CompletionStatus.name(failure));
            }
        }
    }

    /** Looks a key up by READs alone; null if it is not there. */
    byte[] lookUp(final String key)
    {
        final long hash = hash(key);
        final ShardLayout layout = superblock.shards().get(shardOf(key));
        final int at = SuperblockDescriptor.SPLIT_POINTS_OFFSET + shardOf(key) * Long.BYTES;
        final long point = new UnsafeBuffer(readBytes(at, Long.BYTES)).getLong(0);
        long bucketOffset = layout.bucketOffset(layout.bucket(hash, point));
        while (true)
        {
            final byte[] bucket = readBytes(bucketOffset, BucketDescriptor.LENGTH);
            final UnsafeBuffer words = new UnsafeBuffer(bucket);
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final long slot = words.getLong(BucketDescriptor.slotOffset(i));
                if (slot != SlotWord.EMPTY && SlotWord.fingerprint(slot) == KeyHash.fingerprint(hash))
                {
                    final byte[] value = TestRecord.value(slot, key, layout, superblock.checkSeed(), this::readBytes);
                    if (value != null)
                    {
                        return value;
                    }
                }
            }
            final long overflow = BucketDescriptor.overflow(words.getLong(BucketDescriptor.HEADER_OFFSET));
            if (overflow < 0)
            {
                return null;
            }
            bucketOffset = layout.overflowOffset(overflow);
        }
    }

    /** The next answer. */
    byte[] answer()
    {
        final long deadlineNs = deadline();
        while (answers.isEmpty())
        {
            poll();
            if (failure != 0)
            {
                throw new IllegalStateException("queue pair failed: " + CompletionStatus.name(failure));
            }
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("no answer");
            }
        }
        return answers.remove();
    }

    boolean hasAnswer()
    {
        poll();
        return !answers.isEmpty();
    }

    int failure()
    {
        return failure;
    }

    /** Waits until the queue pair has failed. */
    int awaitFailure()
    {
        final long deadlineNs = deadline();
        while (failure == 0)
        {
            poll();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("no failure");
            }
        }
        return failure;
    }

    static Write write(final byte[] answer)
    {
        final WriteAnswerDecoder decoder = new WriteAnswerDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(answer), 0, rpcHeader());
        return new Write(decoder.status(), decoder.version(), decoder.slotWord());
    }

    static Got got(final byte[] answer)
    {
        final GetAnswerDecoder decoder = new GetAnswerDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(answer), 0, rpcHeader());
        final byte[] value = new byte[decoder.valueLength()];
        final long extent = decoder.extent();
        final int length = (int)decoder.wholeLength();
        final Status status = decoder.status();
        decoder.getValue(value, 0, value.length);
        return new Got(status, value, extent, length);
    }

    /** Ends without a word: the TCP connection is closed, the queue pairs vanish. */
    @Override
    public void close()
    {
        CloseHelper.quietClose(bootstrap);
        while (!opened.isEmpty())
        {
            CloseHelper.close(opened.pop());
        }
        completions.close();
        sends.close();
        receives.close();
    }

    private static org.onesided.protocol.rpc.codec.MessageHeaderDecoder rpcHeader()
    {
        return new org.onesided.protocol.rpc.codec.MessageHeaderDecoder();
    }

    private void poll()
    {
        final int count = completions.poll(queue);
        for (int i = 0; i < count; i++)
        {
            final long id = completions.id(i);
            if (completions.status(i) != CompletionStatus.SUCCESS)
            {
                failure = failure == 0 ? completions.status(i) : failure;
            }
            else if (id == SEND)
            {
                sendsDone++;
            }
            else
            {
                final byte[] answer = new byte[completions.byteLength(i)];
                new UnsafeBuffer(receiveAddress((int)id), answer.length).getBytes(0, answer);
                answers.add(answer);
                postReceive((int)id / MAX_RECEIVES, (int)id);
            }
        }
        if (count == 0)
        {
            Thread.yield();
        }
    }

    private long receiveAddress(final int index)
    {
        return receiveBuffers.range().addressOf((long)index * welcome.messageLength(), welcome.messageLength());
    }

    private void postReceive(final int shard, final int index)
    {
        receives.at(0).begin(index).element(receiveAddress(index), welcome.messageLength(), receiveBuffers.localKey());
        check(receives.post(queuePairs.get(shard), 1));
    }

    private long hash(final String key)
    {
        final byte[] bytes = key.getBytes(UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(
            sendBuffer.range().address() + SCRATCH_LENGTH / 2, bytes.length);
        buffer.putBytes(0, bytes);
        return new KeyHash(superblock.hashSeed()).hash(buffer.addressOffset(), bytes.length);
    }

    private MemoryRegion register(final long length, final int access)
    {
        final DeviceMemory memory = opened(context.allocate(length));
        return opened(domain.register(memory.range(), access));
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.push(resource);
        return resource;
    }

    private static void check(final int error)
    {
        if (error != 0)
        {
            throw new IllegalStateException("could not be posted: errno=" + error);
        }
    }

    private static long deadline()
    {
        return System.nanoTime() + TIMEOUT_NS;
    }
}
