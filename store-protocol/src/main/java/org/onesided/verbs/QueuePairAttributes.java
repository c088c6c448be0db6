package org.onesided.verbs;

/**
 * Attributes of a queue pair for {@link QueuePair#modify} and {@link QueuePair#query} ({@code struct ibv_qp_attr}).
 * A plain carrier of values, not thread-safe; the device checks ranges.
 */
public final class QueuePairAttributes
{
    private QueuePairState state = QueuePairState.RESET;
    private QueuePairState currentState = QueuePairState.RESET;
    private int accessFlags;
    private int pkeyIndex;
    private int port;
    private AddressVector addressVector;
    private AddressVector alternatePath;
    private int pathMtu;
    private int destinationQueuePair;
    private int receivePsn;
    private int sendPsn;
    private int maxReadAtomic;
    private int maxDestinationReadAtomic;
    private int minRnrTimer;
    private int timeout;
    private int retryCount;
    private int rnrRetry;
    private int pathMigrationState;

    /**
     * @return the state to go to, or the state it is in.
     */
    public QueuePairState state()
    {
        return state;
    }

    /**
     * @param value see {@link #state()}.
     * @return this.
     */
    public QueuePairAttributes state(final QueuePairState value)
    {
        state = value;
        return this;
    }

    /**
     * @return the state the caller takes the queue pair to be in.
     */
    public QueuePairState currentState()
    {
        return currentState;
    }

    /**
     * @param value see {@link #currentState()}.
     * @return this.
     */
    public QueuePairAttributes currentState(final QueuePairState value)
    {
        currentState = value;
        return this;
    }

    /**
     * @return what the peer may do to this side's memory, see {@link Access}.
     */
    public int accessFlags()
    {
        return accessFlags;
    }

    /**
     * @param value see {@link #accessFlags()}.
     * @return this.
     */
    public QueuePairAttributes accessFlags(final int value)
    {
        accessFlags = value;
        return this;
    }

    /**
     * @return index into the port's P_Key table.
     */
    public int pkeyIndex()
    {
        return pkeyIndex;
    }

    /**
     * @param value see {@link #pkeyIndex()}.
     * @return this.
     */
    public QueuePairAttributes pkeyIndex(final int value)
    {
        pkeyIndex = value;
        return this;
    }

    /**
     * @return the port, from 1.
     */
    public int port()
    {
        return port;
    }

    /**
     * @param value see {@link #port()}.
     * @return this.
     */
    public QueuePairAttributes port(final int value)
    {
        port = value;
        return this;
    }

    /**
     * @return the way to the peer.
     */
    public AddressVector addressVector()
    {
        return addressVector;
    }

    /**
     * @param value see {@link #addressVector()}.
     * @return this.
     */
    public QueuePairAttributes addressVector(final AddressVector value)
    {
        addressVector = value;
        return this;
    }

    /**
     * @return the alternate way to the peer.
     */
    public AddressVector alternatePath()
    {
        return alternatePath;
    }

    /**
     * @param value see {@link #alternatePath()}.
     * @return this.
     */
    public QueuePairAttributes alternatePath(final AddressVector value)
    {
        alternatePath = value;
        return this;
    }

    /**
     * @return path MTU in bytes: 256, 512, 1024, 2048 or 4096.
     */
    public int pathMtu()
    {
        return pathMtu;
    }

    /**
     * @param value see {@link #pathMtu()}.
     * @return this.
     */
    public QueuePairAttributes pathMtu(final int value)
    {
        pathMtu = value;
        return this;
    }

    /**
     * @return the peer's queue pair number.
     */
    public int destinationQueuePair()
    {
        return destinationQueuePair;
    }

    /**
     * @param value see {@link #destinationQueuePair()}.
     * @return this.
     */
    public QueuePairAttributes destinationQueuePair(final int value)
    {
        destinationQueuePair = value;
        return this;
    }

    /**
     * @return first packet sequence number to receive, 24 bits.
     */
    public int receivePsn()
    {
        return receivePsn;
    }

    /**
     * @param value see {@link #receivePsn()}.
     * @return this.
     */
    public QueuePairAttributes receivePsn(final int value)
    {
        receivePsn = value;
        return this;
    }

    /**
     * @return first packet sequence number to send, 24 bits.
     */
    public int sendPsn()
    {
        return sendPsn;
    }

    /**
     * @param value see {@link #sendPsn()}.
     * @return this.
     */
    public QueuePairAttributes sendPsn(final int value)
    {
        sendPsn = value;
        return this;
    }

    /**
     * @return READs and atomics that this side may have outstanding.
     */
    public int maxReadAtomic()
    {
        return maxReadAtomic;
    }

    /**
     * @param value see {@link #maxReadAtomic()}.
     * @return this.
     */
    public QueuePairAttributes maxReadAtomic(final int value)
    {
        maxReadAtomic = value;
        return this;
    }

    /**
     * @return READs and atomics that the peer may have outstanding.
     */
    public int maxDestinationReadAtomic()
    {
        return maxDestinationReadAtomic;
    }

    /**
     * @param value see {@link #maxDestinationReadAtomic()}.
     * @return this.
     */
    public QueuePairAttributes maxDestinationReadAtomic(final int value)
    {
        maxDestinationReadAtomic = value;
        return this;
    }

    /**
     * @return how long a peer waits when no receive is posted here, as the code 0 to 31 of the InfiniBand
     * specification (0 is 655.36 ms, then from 0.01 ms up to 491.52 ms).
     */
    public int minRnrTimer()
    {
        return minRnrTimer;
    }

    /**
     * @param value see {@link #minRnrTimer()}.
     * @return this.
     */
    public QueuePairAttributes minRnrTimer(final int value)
    {
        minRnrTimer = value;
        return this;
    }

    /**
     * @return acknowledgement timeout code t, 0 to 31: 4.096 µs · 2^t; 0 waits for ever.
     */
    public int timeout()
    {
        return timeout;
    }

    /**
     * @param value see {@link #timeout()}.
     * @return this.
     */
    public QueuePairAttributes timeout(final int value)
    {
        timeout = value;
        return this;
    }

    /**
     * @return retries after timeouts, 0 to 7.
     */
    public int retryCount()
    {
        return retryCount;
    }

    /**
     * @param value see {@link #retryCount()}.
     * @return this.
     */
    public QueuePairAttributes retryCount(final int value)
    {
        retryCount = value;
        return this;
    }

    /**
     * @return retries while the peer has no receive posted, 0 to 7; 7 retries for ever.
     */
    public int rnrRetry()
    {
        return rnrRetry;
    }

    /**
     * @param value see {@link #rnrRetry()}.
     * @return this.
     */
    public QueuePairAttributes rnrRetry(final int value)
    {
        rnrRetry = value;
        return this;
    }

    /**
     * @return path migration state.
     */
    public int pathMigrationState()
    {
        return pathMigrationState;
    }

    /**
     * @param value see {@link #pathMigrationState()}.
     * @return this.
     */
    public QueuePairAttributes pathMigrationState(final int value)
    {
        pathMigrationState = value;
        return this;
    }
}
