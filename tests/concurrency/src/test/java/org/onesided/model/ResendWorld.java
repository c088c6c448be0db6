package org.onesided.model;

import java.util.Arrays;

/**
 * A state of the model of writes that are sent again: replicas of a log, and two clients, each with one write under way
 * at a time. Each write that takes effect adds one to a counter, and its answer is the counter's value.
 *
 * <pre>
 *   replica + queue | counter | how often each write took effect | window of client 0 | window of client 1
 *   ...
 *   restarts left | is wrong
 *   client = write | attempt | is resuming | answer of write 1 | of write 2 | which writes are reported as not done
 *   window = number | answer | attempt
 * </pre>
 *
 * <p>A window has room for one request. An attempt is the part of a session's life between two resumptions. The queue
 * of a server holds requests that have reached it, or will, and are not logged. One copy stands for any number: it may
 * be sent again after it was logged.
 *
 * <p>A leader takes what is committed into its table at once, since clients may see its answers at any later time. So
 * the table is what follows from the log, and only leaders have one.
 */
final class ResendWorld extends Replicas
{
    /** Writes of a client at most, and attempts of a session. */
    static final int WRITES = 2;
    static final int ATTEMPTS = 2;
    /** Kinds of entries; behind each, one for each client or request. */
    static final int RESUME = ELECTED + 1;
    static final int REQUEST = RESUME + ResendBounds.CLIENTS;
    /** Answer of a write that was answered before its outcome was known. */
    static final int UNKNOWN = -1;

    /** Fields of a replica. */
    private static final int QUEUE = 0;
    static final int COUNTER = QUEUE + 1;
    private static final int TIMES = COUNTER + 1;
    private static final int WINDOW = TIMES + ResendBounds.CLIENTS * WRITES;
    /** Fields of a window. */
    static final int NUMBER = 0;
    static final int ANSWER = NUMBER + 1;
    static final int ATTEMPT = ANSWER + 1;
    private static final int WINDOW_FIELDS = ATTEMPT + 1;
    private static final int REPLICA_FIELDS = WINDOW + ResendBounds.CLIENTS * WINDOW_FIELDS;

    /** Fields of a client. */
    static final int WRITE = 0;
    static final int TRY = WRITE + 1;
    static final int IS_RESUMING = TRY + 1;
    private static final int ANSWERS = IS_RESUMING + 1;
    private static final int NOT_DONE = ANSWERS + WRITES;
    private static final int CLIENT_FIELDS = NOT_DONE + 1;

    private static final int RESTARTS_LEFT = length(REPLICA_FIELDS);
    private static final int IS_WRONG = RESTARTS_LEFT + 1;
    private static final int CLIENTS = IS_WRONG + 1;
    private static final int LENGTH = CLIENTS + ResendBounds.CLIENTS * CLIENT_FIELDS;

    private final boolean isQueueDropped;

    private ResendWorld(final byte[] bytes, final boolean isQueueDropped)
    {
        super(bytes, REPLICA_FIELDS);
        this.isQueueDropped = isQueueDropped;
    }

    static ResendWorld start(final ResendBounds bounds)
    {
        final ResendWorld start = new ResendWorld(new byte[LENGTH], bounds.isQueueDropped());
        start.begin();
        start.bytes[RESTARTS_LEFT] = (byte)bounds.restarts();
        return start;
    }

    ResendWorld copy()
    {
        return new ResendWorld(bytes.clone(), isQueueDropped);
    }

    /** A request's number among all: of a client, a write of it from 0 on, and an attempt. */
    static int request(final int client, final int write, final int attempt)
    {
        return (client * WRITES + write) * ATTEMPTS + attempt;
    }

    static int clientOf(final int request)
    {
        return request / ATTEMPTS / WRITES;
    }

    static int writeOf(final int request)
    {
        return request / ATTEMPTS % WRITES;
    }

    static int attemptOf(final int request)
    {
        return request % ATTEMPTS;
    }

    int queue(final int replica)
    {
        return own(replica, QUEUE) & 0xFF;
    }

    void queue(final int replica, final int requests)
    {
        own(replica, QUEUE, requests);
    }

    int window(final int replica, final int client, final int field)
    {
        return own(replica, WINDOW + client * WINDOW_FIELDS + field);
    }

    void window(final int replica, final int client, final int field, final int value)
    {
        own(replica, WINDOW + client * WINDOW_FIELDS + field, value);
    }

    void forgetWindows(final int replica)
    {
        clear(replica, WINDOW);
    }

    private void clear(final int replica, final int from)
    {
        for (int i = from; i < REPLICA_FIELDS; i++)
        {
            own(replica, i, 0);
        }
    }

    /** How often a write took effect in a replica's table. */
    int times(final int replica, final int client, final int write)
    {
        return own(replica, TIMES + client * WRITES + write);
    }

    /** A write takes effect; returns its answer. */
    int execute(final int replica, final int client, final int write)
    {
        final int times = TIMES + client * WRITES + write;
        own(replica, times, own(replica, times) + 1);
        own(replica, COUNTER, own(replica, COUNTER) + 1);
        return own(replica, COUNTER);
    }

    boolean takeRestart()
    {
        return bytes[RESTARTS_LEFT]-- > 0;
    }

    int get(final int client, final int field)
    {
        return bytes[CLIENTS + client * CLIENT_FIELDS + field];
    }

    void set(final int client, final int field, final int value)
    {
        bytes[CLIENTS + client * CLIENT_FIELDS + field] = (byte)value;
    }

    /** What a client was told of a write, or 0. */
    int answer(final int client, final int write)
    {
        return get(client, ANSWERS + write);
    }

    void answer(final int client, final int write, final int answer)
    {
        set(client, ANSWERS + write, answer);
    }

    boolean isNotDone(final int client, final int write)
    {
        return (get(client, NOT_DONE) & 1 << write) != 0;
    }

    void notDone(final int client, final int write)
    {
        set(client, NOT_DONE, get(client, NOT_DONE) | 1 << write);
    }

    boolean isWrong()
    {
        return bytes[IS_WRONG] != 0;
    }

    void wrong()
    {
        bytes[IS_WRONG] = 1;
    }

    /** The table is made anew if the replica leads again: nobody looks at it meanwhile. */
    @Override
    void resign(final int replica)
    {
        clear(replica, isQueueDropped ? QUEUE : COUNTER);
        forgetApplied(replica);
    }

    /** A state that stands for all that differ from it only in the numbers of replicas. */
    byte[] canonical()
    {
        final byte[] state = bytes.clone();
        arrange(state, places());
        return state;
    }

    /** In a line to be read by people. */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("clients=");
        text.append(Arrays.toString(Arrays.copyOfRange(bytes, CLIENTS, LENGTH)));
        for (int i = 0; i < COUNT; i++)
        {
            text.append(" | ").append(text(i)).append(" queue=").append(Integer.toBinaryString(queue(i)))
                .append(" counter=").append(own(i, COUNTER)).append(" windows=");
            for (int j = WINDOW; j < REPLICA_FIELDS; j++)
            {
                text.append(own(i, j));
            }
        }
        return text.toString();
    }
}
