package org.onesided.server.shard.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.server.cluster.ShardSnapshotFiles;
import org.onesided.server.raft.LogStart;
import org.onesided.server.raft.RaftLogOptions;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.shard.DurabilityMetrics;
import org.onesided.server.shard.logged.SnapshotInstalledException;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * A process with one member of a replicated shard and its log, real but for the clients, which the test plays. It takes
 * commands from its input, each a line with a number and a verb, and answers each with a line that begins with the
 * number, when there is an answer.
 */
public final class ReplicaMember
{
    static final long TABLE_ID = 1;

    private static final long MEMORY = 32 << 20;
    private static final long IDLE_NS = 200_000;

    private record Pending(int session, long requestId)
    {
    }

    private final ConcurrentLinkedQueue<String> commands = new ConcurrentLinkedQueue<>();
    /** Numbers of the commands whose requests have no answer yet. */
    private final Map<Pending, String> pending = new HashMap<>();
    private final long[] clock = { System.currentTimeMillis() };
    private final Path directory;
    private final Peers peers;
    private final long life = new Random().nextLong();
    private SnapshotStore store;
    private RaftLogs logs;
    private LoggedTable table;
    private volatile boolean isEnded;

    private ReplicaMember(final Path directory, final Peers peers)
    {
        this.directory = directory;
        this.peers = peers;
    }

    /**
     * @param arguments the directory, then this member's number, then all members as number@port; a member that joins
     *                  is alone in this list, behind the word "joining".
     * @throws Exception if the member cannot run.
     */
    public static void main(final String... arguments) throws Exception
    {
        final boolean isJoining = "joining".equals(arguments[2]);
        final List<Peer> all = new ArrayList<>();
        for (int i = isJoining ? 3 : 2; i < arguments.length; i++)
        {
            all.add(peer(arguments[i]));
        }
        new ReplicaMember(Path.of(arguments[0]),
            isJoining ? Peers.joining(all.get(0).number(), all, null) :
                Peers.founding(Long.parseLong(arguments[1]), all)).run();
    }

    private static Peer peer(final String text)
    {
        final String[] parts = text.split("@");
        return new Peer(
            Long.parseLong(parts[0]), new InetSocketAddress("127.0.0.1", Integer.parseInt(parts[1])));
    }

    private void run() throws Exception
    {
        final Thread reader = new Thread(this::read, "commands");
        reader.setDaemon(true);
        reader.start();
        final Path raft = directory.resolve("raft");
        store = new SnapshotStore(directory.resolve("snapshots"), TABLE_ID, 0, 1);
        final ShardSnapshotFiles snapshots = new ShardSnapshotFiles(store);
        RaftLogs.adoptSnapshot(RaftLogs.directory(raft, TABLE_ID, 0), snapshots);
        final LogStart start = start();
        logs = RaftLogs.open(
            new RaftLogOptions(raft, TABLE_ID).reserveBytes(0).segmentLength(RaftLogOptions.MIN_SEGMENT_LENGTH)
                .peers(peers, (shard) -> snapshots),
            List.of(start));
        begin();
        say("ready");
        while (!isEnded)
        {
            int work = 0;
            try
            {
                work += table.shard().doWork();
            }
            catch (final SnapshotInstalledException e)
            {
                say("installed");
                table.close();
                begin();
            }
            String command = commands.poll();
            for (; command != null; command = commands.poll())
            {
                execute(command.split(" "));
                work++;
            }
            work += answer();
            clock[0] = Math.max(clock[0], System.currentTimeMillis());
            if (work == 0)
            {
                LockSupport.parkNanos(IDLE_NS);
            }
        }
        table.close();
        logs.close();
    }

    private LogStart start()
    {
        try (SnapshotReader reader = store.openNewest((bytes) -> {}, (index) -> false))
        {
            return reader == null ? LogStart.withoutSnapshot(() -> {}) :
                new LogStart(reader.header().term(), reader.header().index(), () -> {});
        }
    }

    private void begin()
    {
        table = new LoggedTable(logs.log(0), MEMORY, life, clock, store, this::onLost, System::nanoTime);
    }

    private void onLost(final int session, final String why)
    {
        table.forgetConnection(session);
        pending.entrySet().removeIf((entry) ->
        {
            if (entry.getKey().session() == session)
            {
                say(entry.getValue() + " LOST " + why);
                return true;
            }
            return false;
        });
    }

    private void read()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)))
        {
            String line = in.readLine();
            for (; line != null; line = in.readLine())
            {
                commands.add(line);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        isEnded = true;
    }

    private static void say(final String line)
    {
        System.out.println(line);
        System.out.flush();
    }

    private void execute(final String... words)
    {
        final int session = words.length > 2 && words[2].length() == 1 ? Integer.parseInt(words[2]) : 0;
        switch (words[1])
        {
            case "connect" ->
            {
                table.connect(session);
                say(words[0] + " connected");
            }
            case "increment" -> send(words[0], session, Long.parseLong(words[3]),
                RequestMessages.increment(Long.parseLong(words[3]), words[4], 1, 0));
            case "put" -> send(words[0], session, Long.parseLong(words[3]),
                RequestMessages.put(Long.parseLong(words[3]), words[4], new byte[Integer.parseInt(words[5])]));
            case "large" -> send(words[0], session, Long.parseLong(words[3]),
                RequestMessages.putLarge(Long.parseLong(words[3]), words[4], Integer.parseInt(words[5])));
            case "role" ->
            {
                final DurabilityMetrics metrics = table.shard().metrics().durability();
                say(words[0] + (metrics.takesWrites() ? " leads" : " follows"));
            }
            case "digest" -> say(words[0] + " " + table.digest(Digests.keys()));
            case "members" -> changeMembers(words);
            case "quit" -> isEnded = true;
            default -> throw new IllegalArgumentException("command is not known: command=" + words[1]);
        }
    }

    private void changeMembers(final String... words)
    {
        final List<Peer> all = new ArrayList<>();
        for (int i = 2; i < words.length; i++)
        {
            all.add(peer(words[i]));
        }
        final List<Long> before = logs.log(0).members().committed().stream().map(Peer::number).toList();
        logs.log(0).members().change(before, all).whenComplete((done, failure) ->
            say(words[0] + (failure == null ? " changed" : " failed " + failure)));
    }

    private void send(final String number, final int session, final long requestId, final byte[] message)
    {
        if (!table.isConnected(session) || !table.send(session, message))
        {
            say(number + " LOST there is no queue pair");
            return;
        }
        pending.put(new Pending(session, requestId), number);
    }

    private int answer()
    {
        int count = 0;
        for (int session = 0; session < LoggedTable.SESSIONS; session++)
        {
            byte[] answer = table.answer(session);
            for (; answer != null; answer = table.answer(session))
            {
                final WriteAnswerDecoder decoder = new WriteAnswerDecoder();
                // A ComputedAnswer begins with the same fields.
                decoder.wrap(new UnsafeBuffer(answer), MessageHeaderDecoder.ENCODED_LENGTH,
                    WriteAnswerDecoder.BLOCK_LENGTH, WriteAnswerDecoder.SCHEMA_VERSION);
                final String number = pending.remove(new Pending(session, decoder.requestId()));
                if (number != null)
                {
                    say(number + " " + decoder.status() +
                        (decoder.status() == Status.NOT_LEADING ? " " + decoder.version() : ""));
                }
                count++;
            }
        }
        return count;
    }
}
