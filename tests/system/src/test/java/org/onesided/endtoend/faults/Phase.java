package org.onesided.endtoend.faults;

import java.util.ArrayList;
import java.util.List;
import org.onesided.chaos.ChaosDevice.Step;
import org.onesided.client.StoreClient;

/**
 * What a client is at when it is killed.
 */
enum Phase
{
    /** It has been welcomed, and makes its queue pairs. */
    WELCOMED(Step.CREATE, 1),
    /** The server's queue pairs are connected, its own are not. */
    CONNECTING(Step.CONNECT, 2),
    /** All queue pairs are connected, and nothing was asked. */
    READY(Step.READ, 1),
    /** The superblock's READ is posted. */
    FIRST_READ(Step.READ_POSTED, 1),
    /** A lookup's READ is posted, and nobody takes its completion. */
    GETTING(Step.READ_POSTED, 1),
    /** A put is written, and not sent. */
    PUT_READY(Step.SEND, 1),
    /** A put is sent, and nobody takes its answer. */
    PUT_SENT(Step.SEND_POSTED, 1),
    /** Some of many puts are sent; credits are used up, answers wait. */
    BATCH(Step.SEND_POSTED, 2),
    /** The server pulls a large value. */
    PULLED(Step.SEND_POSTED, 1),
    /** Nothing. */
    IDLE(null, 0);

    static final int LARGE_LENGTH = 8 << 20;
    static final int BATCH_KEYS = 200;

    private final Step step;
    private final int times;

    Phase(final Step step, final int times)
    {
        this.step = step;
        this.times = times;
    }

    /**
     * @return where to stop, or null for nowhere.
     */
    Step step()
    {
        return step;
    }

    /**
     * @return at which occurrence of the step.
     */
    int times()
    {
        return times;
    }

    boolean isOfHandshake()
    {
        return ordinal() <= FIRST_READ.ordinal();
    }

    /**
     * Goes there, with a client that is connected.
     */
    void enter(final StoreClient client)
    {
        switch (this)
        {
            case GETTING -> client.get("present");
            case PUT_READY -> client.put(unwritten(), "never");
            case PUT_SENT -> client.put("put-sent", "x".repeat(300));
            case BATCH ->
            {
                final List<byte[]> keys = new ArrayList<>();
                final List<byte[]> values = new ArrayList<>();
                for (int i = 0; i < BATCH_KEYS; i++)
                {
                    keys.add(batchKey(i).getBytes());
                    values.add(new byte[300]);
                }
                client.putAll(keys, values);
            }
            case PULLED -> client.put(large().getBytes(), new byte[LARGE_LENGTH]);
            default -> client.contains("present");
        }
    }

    static String unwritten()
    {
        return "put-ready";
    }

    static String large()
    {
        return "pulled";
    }

    static String batchKey(final int index)
    {
        return "batch-" + index;
    }
}
