package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.verbs.AttributeMask.*;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;

/**
 * The values that attributes may have, and that a query tells those that were set.
 */
final class AttributeConformanceTest extends Conformance
{
    private Pair pair;
    private QueuePair queuePair;

    @BeforeEach
    void open()
    {
        pair = unconnected(new Setup(), new Setup());
        queuePair = pair.a.queuePair;
    }

    @Test
    void shouldTellWhatWasSet()
    {
        Attributes.bring(pair, QueuePairState.INIT);
        assertEquals(0, queuePair.query().pkeyIndex());
        assertEquals(1, queuePair.query().port());
        assertEquals(Access.REMOTE_ANY, queuePair.query().accessFlags());

        final int peerNumber = pair.b.queuePair.number();
        final QueuePairAttributes toRtr = Attributes.valid(pair, QueuePairState.RTR)
            .pathMtu(512).receivePsn(0xABCDEF).maxDestinationReadAtomic(1).minRnrTimer(17);
        queuePair.modify(toRtr, STATE | mask(QueuePairState.INIT, QueuePairState.RTR));
        final QueuePairAttributes inRtr = queuePair.query();
        assertEquals(QueuePairState.RTR, inRtr.state());
        assertEquals(512, inRtr.pathMtu());
        assertEquals(peerNumber, inRtr.destinationQueuePair());
        assertEquals(0xABCDEF, inRtr.receivePsn());
        assertEquals(1, inRtr.maxDestinationReadAtomic());
        assertEquals(17, inRtr.minRnrTimer());
        assertEquals(toRtr.addressVector().gid(), inRtr.addressVector().gid());
        assertEquals(toRtr.addressVector().lid(), inRtr.addressVector().lid());
        assertEquals(toRtr.addressVector().port(), inRtr.addressVector().port());

        final QueuePairAttributes toRts = Attributes.valid(pair, QueuePairState.RTS)
            .timeout(11).retryCount(5).rnrRetry(3).sendPsn(0x654321).maxReadAtomic(1);
        queuePair.modify(toRts, STATE | mask(QueuePairState.RTR, QueuePairState.RTS));
        final QueuePairAttributes inRts = queuePair.query();
        assertEquals(QueuePairState.RTS, inRts.state());
        assertEquals(11, inRts.timeout());
        assertEquals(5, inRts.retryCount());
        assertEquals(3, inRts.rnrRetry());
        assertEquals(0x654321, inRts.sendPsn());
        assertEquals(1, inRts.maxReadAtomic());
        assertEquals(512, inRts.pathMtu());

        queuePair.modify(new QueuePairAttributes().minRnrTimer(2), MIN_RNR_TIMER);
        assertEquals(2, queuePair.query().minRnrTimer());
    }

    @Test
    void shouldRefuseAPortThatIsNotThere()
    {
        final int ports = pair.a.context.queryDevice().portCount();
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.port(0));
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.port(ports + 1));
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.port(-1));
    }

    @Test
    void shouldRefuseAPkeyIndexOutOfRange()
    {
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.pkeyIndex(-1));
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.pkeyIndex(0xFFFF));
    }

    @Test
    void shouldRefuseUnknownAccessFlags()
    {
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.accessFlags(1 << 30));
        refuse(QueuePairState.RESET, QueuePairState.INIT, (v) -> v.accessFlags(-1));
    }

    @Test
    void shouldRefuseAPathMtuThatIsNone()
    {
        for (final int mtu : new int[] {-1, 0, 128, 1000, 1500, 8192})
        {
            refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.pathMtu(mtu));
        }
    }

    @Test
    void shouldRefuseAnRnrTimerOutOfRange()
    {
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.minRnrTimer(32));
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.minRnrTimer(-1));
    }

    @Test
    void shouldRefuseMoreReadsThanTheDeviceAnswers()
    {
        final int limit = pair.a.context.queryDevice().maxReadAtomic();
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.maxDestinationReadAtomic(limit + 1));
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.maxDestinationReadAtomic(-1));
    }

    @Test
    void shouldRefuseMoreReadsThanTheDeviceInitiates()
    {
        final int limit = pair.a.context.queryDevice().maxInitiatedReadAtomic();
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.maxReadAtomic(limit + 1));
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.maxReadAtomic(-1));
    }

    @Test
    void shouldRefuseAnAddressWithoutAWay()
    {
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.addressVector(null));
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.addressVector(gidIndex(v, 9999)));
        refuse(QueuePairState.INIT, QueuePairState.RTR, (v) -> v.addressVector(gidIndex(v, -1)));
    }

    @Test
    void shouldRefuseATimeoutOutOfRange()
    {
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.timeout(32));
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.timeout(-1));
    }

    @Test
    void shouldRefuseRetriesOutOfRange()
    {
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.retryCount(8));
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.retryCount(-1));
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.rnrRetry(8));
        refuse(QueuePairState.RTR, QueuePairState.RTS, (v) -> v.rnrRetry(-1));
    }

    @Test
    void shouldGrantAtLeastTheCapacitiesAskedFor()
    {
        final QueuePairInitAttributes granted = queuePair.initAttributes();
        final QueuePairInitAttributes asked = pair.a.initAttributes();
        assertTrue(granted.maxSends() >= asked.maxSends(), granted.toString());
        assertTrue(granted.maxReceives() >= asked.maxReceives(), granted.toString());
        assertTrue(granted.maxSendElements() >= asked.maxSendElements(), granted.toString());
        assertTrue(granted.maxReceiveElements() >= asked.maxReceiveElements(), granted.toString());
        assertTrue(granted.maxInline() >= asked.maxInline(), granted.toString());
        assertEquals(asked.signalAll(), granted.signalAll());
        assertEquals(asked.sendQueue(), granted.sendQueue());
        assertEquals(asked.receiveQueue(), granted.receiveQueue());
    }

    private void refuse(
        final QueuePairState from, final QueuePairState to, final UnaryOperator<QueuePairAttributes> change)
    {
        Attributes.bring(pair, from);
        final String before = Attributes.describe(queuePair);
        final QueuePairAttributes attributes = change.apply(Attributes.valid(pair, to));
        assertEquals(Errno.EINVAL, Attributes.modify(queuePair, attributes, STATE | mask(from, to)));
        assertEquals(before, Attributes.describe(queuePair), "something changed");
        assertEquals(0, Attributes.modify(queuePair, Attributes.valid(pair, to), STATE | mask(from, to)));
    }

    private static int mask(final QueuePairState from, final QueuePairState to)
    {
        return Transition.find(from, to).orElseThrow().required();
    }

    private static AddressVector gidIndex(final QueuePairAttributes attributes, final int index)
    {
        final AddressVector v = attributes.addressVector();
        return new AddressVector(v.lid(), v.gid(), index, 0, 0, 64, 1, v.deviceBytes());
    }
}
