package org.onesided.verbs;

import java.security.SecureRandom;

/**
 * Takes a queue pair from RESET to RTS, as the InfiniBand specification orders it (vol. 1, 12.9.7; ibv_modify_qp(3)).
 * Both sides make their {@link #local} endpoint, exchange them by other means, and {@link #connect}.
 */
public final class ReliableConnection
{
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final SecureRandom RANDOM = new SecureRandom();

    private ReliableConnection()
    {
    }

    /**
     * Describes this side, with a random packet sequence number.
     *
     * @param context   the queue pair's.
     * @param queuePair to be connected.
     * @param options   port and GID index of this side, resolved.
     * @return the endpoint to tell the peer.
     */
    public static Endpoint local(final Context context, final QueuePair queuePair, final ConnectionOptions options)
    {
        final PortAttributes port = context.queryPort(options.port());
        final DeviceAttributes device = context.queryDevice();
        return new Endpoint(
            queuePair.number(),
            port.lid(),
            options.gidIndex() < 0 ? null : context.queryGid(options.port(), options.gidIndex()),
            RANDOM.nextInt() & PSN_MASK,
            port.activeMtu(),
            device.maxReadAtomic(),
            device.maxInitiatedReadAtomic(),
            queuePair.deviceBytes());
    }

    /**
     * RESET to INIT: from here on receives may be posted.
     *
     * @param queuePair in RESET.
     * @param options   port and access.
     */
    public static void initialise(final QueuePair queuePair, final ConnectionOptions options)
    {
        queuePair.modify(
            new QueuePairAttributes()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(options.port())
                .accessFlags(options.access()),
            AttributeMask.STATE | AttributeMask.PKEY_INDEX | AttributeMask.PORT | AttributeMask.ACCESS_FLAGS);
    }

    /**
     * INIT to RTR to RTS.
     *
     * @param queuePair in INIT.
     * @param local     this side's endpoint.
     * @param peer      the peer's endpoint.
     * @param options   the rest.
     */
    public static void connect(
        final QueuePair queuePair, final Endpoint local, final Endpoint peer, final ConnectionOptions options)
    {
        queuePair.modify(
            new QueuePairAttributes()
                .state(QueuePairState.RTR)
                .addressVector(AddressVector.to(peer, options))
                .pathMtu(Math.min(local.mtu(), peer.mtu()))
                .destinationQueuePair(peer.queuePairNumber())
                .receivePsn(peer.psn())
                .maxDestinationReadAtomic(Math.min(local.readDepth(), peer.initiatorDepth()))
                .minRnrTimer(options.minRnrTimer()),
            AttributeMask.STATE | AttributeMask.AV | AttributeMask.PATH_MTU | AttributeMask.DEST_QPN |
                AttributeMask.RQ_PSN | AttributeMask.MAX_DEST_RD_ATOMIC | AttributeMask.MIN_RNR_TIMER);

        queuePair.modify(
            new QueuePairAttributes()
                .state(QueuePairState.RTS)
                .timeout(options.timeout())
                .retryCount(options.retryCount())
                .rnrRetry(options.rnrRetry())
                .sendPsn(local.psn())
                .maxReadAtomic(readDepth(local, peer)),
            AttributeMask.STATE | AttributeMask.TIMEOUT | AttributeMask.RETRY_CNT | AttributeMask.RNR_RETRY |
                AttributeMask.SQ_PSN | AttributeMask.MAX_QP_RD_ATOMIC);
    }

    /**
     * @param local this side's endpoint.
     * @param peer  the peer's endpoint.
     * @return READs and atomics that this side may have outstanding.
     */
    public static int readDepth(final Endpoint local, final Endpoint peer)
    {
        return Math.min(local.initiatorDepth(), peer.readDepth());
    }

    /**
     * Queries the device, because events name queue pairs by numbers, which are reused.
     *
     * @param queuePair in any state.
     * @return whether it is in ERR, or cannot be asked any more.
     */
    public static boolean hasFailed(final QueuePair queuePair)
    {
        try
        {
            return queuePair.state() == QueuePairState.ERR;
        }
        catch (final VerbsException e)
        {
            return true;
        }
    }

    /**
     * Moves a queue pair to ERR, where all its requests are flushed.
     *
     * @param queuePair in any state.
     */
    public static void fail(final QueuePair queuePair)
    {
        queuePair.modify(new QueuePairAttributes().state(QueuePairState.ERR), AttributeMask.STATE);
    }
}
