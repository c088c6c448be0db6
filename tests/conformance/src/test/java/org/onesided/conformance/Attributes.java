package org.onesided.conformance;

import static org.onesided.verbs.AttributeMask.*;

import org.onesided.verbs.AddressVector;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.VerbsException;

/**
 * Sets and compares a queue pair's attributes.
 */
final class Attributes
{
    private Attributes()
    {
    }

    /**
     * Brings a side's queue pair, by way of RESET, into a state, as if to talk to a fresh peer.
     */
    static void bring(final Pair pair, final QueuePairState state)
    {
        final Side a = pair.a;
        final Side b = pair.b;
        reset(b.queuePair);
        reset(a.queuePair);
        if (state == QueuePairState.RESET)
        {
            return;
        }
        ReliableConnection.initialise(a.queuePair, a.connection);
        if (state == QueuePairState.INIT)
        {
            return;
        }
        if (state == QueuePairState.ERR)
        {
            ReliableConnection.fail(a.queuePair);
            return;
        }
        ReliableConnection.initialise(b.queuePair, b.connection);
        final Transition toRtr = Transition.find(QueuePairState.INIT, QueuePairState.RTR).orElseThrow();
        a.queuePair.modify(valid(pair, QueuePairState.RTR), STATE | toRtr.required());
        if (state == QueuePairState.RTS)
        {
            final Transition toRts = Transition.find(QueuePairState.RTR, QueuePairState.RTS).orElseThrow();
            a.queuePair.modify(valid(pair, QueuePairState.RTS), STATE | toRts.required());
        }
    }

    static void reset(final QueuePair queuePair)
    {
        queuePair.modify(new QueuePairAttributes().state(QueuePairState.RESET), STATE);
    }

    /**
     * Every attribute with a value that any device takes, to go to a state.
     */
    static QueuePairAttributes valid(final Pair pair, final QueuePairState to)
    {
        final Endpoint peer = pair.b.endpoint(pair.b.queuePair);
        return new QueuePairAttributes()
            .state(to)
            .currentState(pair.a.queuePair.state())
            .accessFlags(pair.a.connection.access())
            .pkeyIndex(0)
            .port(pair.a.connection.port())
            .addressVector(AddressVector.to(peer, pair.a.connection))
            .alternatePath(AddressVector.to(peer, pair.a.connection))
            .pathMtu(1024)
            .destinationQueuePair(peer.queuePairNumber())
            .receivePsn(peer.psn())
            .sendPsn(0x123456)
            .maxReadAtomic(1)
            .maxDestinationReadAtomic(1)
            .minRnrTimer(12)
            .timeout(14)
            .retryCount(7)
            .rnrRetry(7)
            .pathMigrationState(0);
    }

    /**
     * @return the errno of a modify, 0 if it went through.
     */
    static int modify(final QueuePair queuePair, final QueuePairAttributes attributes, final int mask)
    {
        try
        {
            queuePair.modify(attributes, mask);
            return 0;
        }
        catch (final VerbsException ex)
        {
            return ex.errno();
        }
    }

    /**
     * All that a queue pair tells about itself, to be compared.
     */
    static String describe(final QueuePair queuePair)
    {
        final QueuePairAttributes q = queuePair.query();
        final AddressVector av = q.addressVector();
        return q.state() + " access=" + q.accessFlags() + " pkey=" + q.pkeyIndex() + " port=" + q.port() +
            " gid=" + (av == null ? null : av.gid()) + " mtu=" + q.pathMtu() + " dest=" + q.destinationQueuePair() +
            " rqPsn=" + q.receivePsn() + " sqPsn=" + q.sendPsn() + " rd=" + q.maxReadAtomic() +
            " destRd=" + q.maxDestinationReadAtomic() + " rnrTimer=" + q.minRnrTimer() + " timeout=" + q.timeout() +
            " retry=" + q.retryCount() + " rnrRetry=" + q.rnrRetry();
    }
}
