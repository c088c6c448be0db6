package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;
import org.onesided.waiting.Interruptible;

/**
 * Two users try the verbs by hand, each on a buffer that the other may READ and WRITE, and see each completion.
 */
public final class Shell
{
    /** Length of each side's buffer in bytes. */
    public static final int BUFFER_LENGTH = 1 << 20;
    /** Default address to listen on. */
    public static final int DEFAULT_PORT = 19876;
    /** Retries without limit while the peer has no receive posted, since users take their time. */
    public static final ConnectionOptions DEFAULT_PATH = ConnectionOptions.defaults(0).rnr(7, 12);

    private static final String PROMPT = "rdma> ";
    private static final int MAX_SENDS = 16;
    private static final int MAX_RECEIVES = 64;
    private static final int DEFAULT_SHOWN = 64;
    private static final long DEFAULT_WAIT_S = 60;
    private static final long MAX_WAIT_S = 3600;
    private static final int MAX_BYTE = 0xFF;
    private static final long LINE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final byte READY = '+';

    private final String device;
    private final ConnectionOptions path;
    private final Meeting meeting;
    private final InputStream in;
    private final Consumer<String> lines;
    private final Consumer<String> terminal;
    private final boolean isScript;
    private final Consumer<String> out = this::say;
    private final Map<Long, String> outstanding = new LinkedHashMap<>();

    private Station station;
    private Conversation conversation;
    private LocalBuffer buffer;
    private ShellRecord own;
    private ShellRecord peer;
    private long lastId;
    private boolean isClean = true;
    private boolean isPeerHere = true;
    private boolean isAtPrompt;

    /**
     * @param device   to open.
     * @param path     how this side connects; {@link #DEFAULT_PATH} if the user set nothing. The peer may READ and
     *                 WRITE.
     * @param meeting  where the peer is.
     * @param in       lines of commands.
     * @param lines    gets the lines to print.
     * @param terminal gets output for a terminal only: prompts.
     * @param isScript whether the end of the input waits for outstanding requests, as a script expects; a user at a
     *                 terminal wants to leave.
     */
    public Shell(
        final String device,
        final ConnectionOptions path,
        final Meeting meeting,
        final InputStream in,
        final Consumer<String> lines,
        final Consumer<String> terminal,
        final boolean isScript)
    {
        this.device = device;
        this.path = path.access(Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        this.meeting = meeting;
        this.in = in;
        this.lines = lines;
        this.terminal = terminal;
        this.isScript = isScript;
    }

    /**
     * Meets the peer and executes lines until the input ends. The end of a script waits until all requests have
     * completed, at most for the meeting's timeout.
     *
     * @return whether every line was understood and every request succeeded, except those outstanding when a user left.
     * @throws TalkException  if the peer is not there or not a shell.
     * @throws VerbsException if the device cannot be used.
     */
    public boolean run()
    {
        try (Station opened = new Station(
            device, path, new Station.Needs(BUFFER_LENGTH, MAX_SENDS, MAX_RECEIVES, false), out);
            Conversation opening = Conversation.open(meeting, out))
        {
            station = opened;
            conversation = opening;
            buffer = new LocalBuffer(station.memory().range());
            meet();
            out.accept("Connected; each side's buffer has " + BUFFER_LENGTH + " bytes. Type help for more.");
            try (ShellInput input = new ShellInput(in))
            {
                serve(input);
            }
            return isClean;
        }
    }

    private void meet()
    {
        final Endpoint endpoint =
            ReliableConnection.local(station.context(), station.queuePair(), station.options());
        own = new ShellRecord(
            endpoint, station.region().range().address(), BUFFER_LENGTH, station.region().remoteKey());
        out.accept("  local:  " + own);
        conversation.write(DeviceBytesExchange.append(own.encode(), endpoint.deviceBytes()), "this side's record");
        final byte[] bytes = conversation.read(ShellRecord.LENGTH, "its record");
        peer = ShellRecord.isMarked(bytes) ?
            ShellRecord.decode(bytes, DeviceBytesExchange.read(conversation, endpoint.deviceBytes())) : null;
        if (peer == null)
        {
            throw new TalkException(
                TalkException.Kind.NOT_CONNECTED, "the peer is not kvctl rdma shell: peer=" + conversation.peer());
        }
        out.accept("  remote: " + peer);
        try
        {
            ReliableConnection.connect(station.queuePair(), endpoint, peer.endpoint(), station.options());
        }
        catch (final VerbsException e)
        {
            throw Station.unreachable(e);
        }
        conversation.write(new byte[]{READY}, "this side's word that it is ready");
        conversation.read(1, "its word that it is ready");
    }

    private void serve(final ShellInput input)
    {
        while (!input.hasEnded())
        {
            if (!isAtPrompt)
            {
                terminal.accept(PROMPT);
                isAtPrompt = true;
            }
            showCompletions(station.poll());
            lookForPeer();
            final String line = next(input);
            if (line != null)
            {
                isAtPrompt = false;
                if (!obey(line))
                {
                    return;
                }
            }
        }
        if (isAtPrompt)
        {
            terminal.accept("\n");
            isAtPrompt = false;
        }
        if (isScript)
        {
            awaitAll(meeting.timeoutNs());
        }
    }

    /** Prints a line, below the prompt if there is one. */
    private void say(final String line)
    {
        if (isAtPrompt)
        {
            terminal.accept("\n");
            isAtPrompt = false;
        }
        lines.accept(line);
    }

    private static String next(final ShellInput input)
    {
        return Interruptible.await(
            () -> input.next(LINE_WAIT_NS),
            (e) -> new TalkException(TalkException.Kind.INTERRUPTED, "told to stop", e));
    }

    /** Whether to continue. */
    private boolean obey(final String text)
    {
        try
        {
            if (ShellInput.TOO_LONG.equals(text))
            {
                throw new IllegalArgumentException("the line is too long: longest=" + ShellInput.MAX_LINE_LENGTH);
            }
            final ShellLine line = ShellLine.parse(text);
            return line == null || obey(line);
        }
        catch (final IllegalArgumentException | ArithmeticException | VerbsException e)
        {
            isClean = false;
            out.accept("error: " + e.getMessage());
            return true;
        }
    }

    private boolean obey(final ShellLine line)
    {
        final long first = line.number(0, 0);
        switch (line.verb())
        {
            case READ -> access(Opcode.RDMA_READ, line);
            case WRITE -> access(Opcode.RDMA_WRITE, line);
            case SEND -> send(first, line.number(1, 0));
            case RECEIVE -> receive(first, line.number(1, 0));
            case SHOW -> buffer.show(first, line.number(1, Math.min(DEFAULT_SHOWN, BUFFER_LENGTH - first)), out);
            case SET -> buffer.set(first, line.text().getBytes(UTF_8));
            case FILL -> buffer.fill(first, line.number(1, 0), byteOf(line.number(2, 0)));
            case WAIT -> awaitAll(waitNs(line.number(0, DEFAULT_WAIT_S)));
            case INFO -> showInfo();
            case HELP -> showHelp();
            default ->
            {
                return false;
            }
        }
        return true;
    }

    private static byte byteOf(final long value)
    {
        if (value > MAX_BYTE)
        {
            throw new IllegalArgumentException("a byte is at most 255: byte=" + value);
        }
        return (byte)value;
    }

    private void access(final int opcode, final ShellLine line)
    {
        final long local = line.number(0, 0);
        final long remote = line.number(1, 0);
        final long length = line.number(2, 0);
        LocalBuffer.check("this side's", local, length, BUFFER_LENGTH);
        LocalBuffer.check("the peer's", remote, length, peer.length());
        station.access(opcode, lastId + 1, local, (int)length, peer.address() + remote, peer.remoteKey());
        posted(Opcode.name(opcode));
        settle(lastId);
    }

    private void send(final long local, final long length)
    {
        LocalBuffer.check("this side's", local, length, BUFFER_LENGTH);
        station.send(lastId + 1, local, (int)length, 0);
        posted(Opcode.name(Opcode.SEND));
        settle(lastId);
    }

    private void receive(final long local, final long length)
    {
        LocalBuffer.check("this side's", local, length, BUFFER_LENGTH);
        station.receive(lastId + 1, local, (int)length, 1);
        posted("RECV");
        out.accept("posted: wr_id=" + lastId + " opcode=RECV");
    }

    private void posted(final String opcode)
    {
        outstanding.put(++lastId, opcode);
    }

    /** Waits briefly for a request, and longer only if the user asks for it. */
    private void settle(final long id)
    {
        final long startNs = System.nanoTime();
        while (outstanding.containsKey(id) && System.nanoTime() - startNs < PATIENCE_NS)
        {
            showCompletions(station.await(STEP_NS, true));
        }
        if (outstanding.containsKey(id))
        {
            out.accept("posted: wr_id=" + id + " opcode=" + outstanding.get(id) +
                ", not completed yet: has the peer a receive posted? wait waits on");
        }
    }

    private static long waitNs(final long seconds)
    {
        if (seconds > MAX_WAIT_S)
        {
            throw new IllegalArgumentException("at most " + MAX_WAIT_S + " seconds: seconds=" + seconds);
        }
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    private void awaitAll(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (!outstanding.isEmpty() && System.nanoTime() - startNs < timeoutNs)
        {
            // Takes what the peer sent before it left.
            if (!showCompletions(station.await(STEP_NS, true)) && (lookForPeer() || !isPeerHere))
            {
                break;
            }
        }
        if (!outstanding.isEmpty())
        {
            isClean = false;
            out.accept("error: not completed: " + outstanding);
        }
    }

    private boolean showCompletions(final int count)
    {
        final WorkCompletions completions = station.completions();
        for (int i = 0; i < count; i++)
        {
            final String opcode = outstanding.remove(completions.id(i));
            out.accept(Completions.line(completions, i, opcode));
            final int status = completions.status(i);
            if (status != CompletionStatus.SUCCESS)
            {
                isClean = false;
                if (status != CompletionStatus.WR_FLUSH_ERR)
                {
                    out.accept("The queue pair is in ERR now, and does nothing more: start both sides again.");
                }
            }
        }
        return count > 0;
    }

    /** Whether the peer has just been found gone. */
    private boolean lookForPeer()
    {
        if (!isPeerHere)
        {
            return false;
        }
        try
        {
            isPeerHere = conversation.readSome(new byte[1], 0, 0, "a word") == Conversation.NOTHING;
        }
        catch (final TalkException e)
        {
            isPeerHere = false;
        }
        if (!isPeerHere)
        {
            out.accept("The peer has left; quit when you have seen enough.");
        }
        return !isPeerHere;
    }

    private void showInfo()
    {
        out.accept("  local:  " + own);
        out.accept("  remote: " + peer);
        out.accept("  queue pair: " + station.queuePair().state() + ", outstanding: " + outstanding);
    }

    private void showHelp()
    {
        for (final ShellLine.Verb verb : ShellLine.Verb.values())
        {
            out.accept(verb.help());
        }
        out.accept("LOCAL and REMOTE are offsets into the two buffers. Numbers: 4096, 0x1000, 4k, 1m.");
    }
}
