package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.onesided.verbs.AttributeMask.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;

/**
 * Which transitions there are, and which attributes each takes: exhaustively, over all states and all bits.
 */
final class StateMachineConformanceTest extends Conformance
{
    private final List<String> wrong = new ArrayList<>();
    private Pair pair;
    private QueuePair queuePair;

    @BeforeEach
    void open()
    {
        pair = unconnected(new Setup(), new Setup());
        queuePair = pair.a.queuePair;
    }

    @Test
    void shouldBeInResetWhenMade()
    {
        assertEquals(QueuePairState.RESET, queuePair.state());
        assertEquals(QueuePairState.RESET, queuePair.query().state());
    }

    @Test
    void shouldGoEveryTransitionOfTheTable()
    {
        for (final Transition transition : Transition.ALL)
        {
            expectAccepted(transition, transition.required());
        }
        expectNothingWrong();
    }

    @Test
    void shouldRefuseEveryTransitionThatIsNotInTheTable()
    {
        final int all = Transition.BITS.stream().reduce(0, (x, y) -> x | y);
        for (final QueuePairState from : Transition.STATES)
        {
            Attributes.bring(pair, from);
            for (final QueuePairState to : QueuePairState.values())
            {
                if (Transition.find(from, to).isEmpty() && !Transition.isUpToTheDevice(from, to))
                {
                    expectRefused(from, to, 0);
                    expectRefused(from, to, all);
                    for (final Transition other : Transition.ALL)
                    {
                        expectRefused(from, to, other.required());
                    }
                }
            }
        }
        expectNothingWrong();
    }

    @Test
    void shouldRefuseATransitionThatLacksARequiredAttribute()
    {
        for (final Transition transition : Transition.ALL)
        {
            Attributes.bring(pair, transition.from());
            for (final int bit : Transition.BITS)
            {
                if ((transition.required() & bit) != 0)
                {
                    expectRefused(transition.from(), transition.to(), transition.required() & ~bit);
                }
            }
        }
        expectNothingWrong();
    }

    @Test
    void shouldRefuseATransitionWithAnAttributeThatItDoesNotTake()
    {
        for (final Transition transition : Transition.ALL)
        {
            Attributes.bring(pair, transition.from());
            for (final int bit : Transition.BITS)
            {
                if (((transition.required() | transition.optional()) & bit) == 0)
                {
                    expectRefused(transition.from(), transition.to(), transition.required() | bit);
                }
            }
        }
        expectNothingWrong();
    }

    @Test
    void shouldTakeEveryOptionalAttribute()
    {
        for (final Transition transition : Transition.ALL)
        {
            final int optional = transition.optional() & ~ALT_PATH;
            for (final int bit : Transition.BITS)
            {
                if ((optional & bit) != 0)
                {
                    expectAccepted(transition, transition.required() | bit);
                }
            }
            expectAccepted(transition, transition.required() | optional);
        }
        expectNothingWrong();
    }

    @Test
    void shouldTakeAnAlternatePath()
    {
        for (final Transition transition : Transition.ALL)
        {
            if ((transition.optional() & ALT_PATH) != 0)
            {
                expectAccepted(transition, transition.required() | ALT_PATH);
                expectAccepted(transition, transition.required() | transition.optional());
            }
        }
        expectNothingWrong();
    }

    @Test
    void shouldStayInItsStateWithoutTheStateBit()
    {
        Attributes.bring(pair, QueuePairState.RTS);
        queuePair.modify(new QueuePairAttributes().minRnrTimer(31), MIN_RNR_TIMER);
        assertEquals(QueuePairState.RTS, queuePair.state());
        assertEquals(31, queuePair.query().minRnrTimer());

        Attributes.bring(pair, QueuePairState.INIT);
        queuePair.modify(new QueuePairAttributes().accessFlags(0), ACCESS_FLAGS);
        assertEquals(QueuePairState.INIT, queuePair.state());
        assertEquals(0, queuePair.query().accessFlags());

        Attributes.bring(pair, QueuePairState.RTR);
        assertEquals(Errno.EINVAL, Attributes.modify(queuePair, new QueuePairAttributes(), MIN_RNR_TIMER));
    }

    @Test
    void shouldRefuseACurrentStateThatHasNoSuchTransition()
    {
        final int mask = STATE | CUR_STATE | Transition.find(QueuePairState.RTR, QueuePairState.RTS)
            .orElseThrow().required();
        for (final QueuePairState pretended : List.of(QueuePairState.RESET, QueuePairState.INIT, QueuePairState.ERR))
        {
            Attributes.bring(pair, QueuePairState.RTR);
            final QueuePairAttributes attributes =
                Attributes.valid(pair, QueuePairState.RTS).currentState(pretended);
            assertEquals(Errno.EINVAL, Attributes.modify(queuePair, attributes, mask), pretended.toString());
            assertEquals(QueuePairState.RTR, queuePair.state());
        }
    }

    @Test
    void shouldTellItsPeersANewSecretAfterReset()
    {
        final byte[] before = queuePair.deviceBytes();
        Attributes.bring(pair, QueuePairState.INIT);
        final byte[] after = queuePair.deviceBytes();
        assertFalse(before.length > 0 && Arrays.equals(before, after), "the secret outlived a RESET");
    }

    @Test
    void shouldGoToErrFromEveryStateButReset()
    {
        for (final QueuePairState from : Transition.STATES)
        {
            Attributes.bring(pair, from);
            if (from != QueuePairState.RESET)
            {
                ReliableConnection.fail(queuePair);
                assertEquals(QueuePairState.ERR, queuePair.state(), from.toString());
            }
        }
    }

    private void expectAccepted(final Transition transition, final int mask)
    {
        Attributes.bring(pair, transition.from());
        // RTR names the peer, which has to be past RESET when a device looks for it.
        if (pair.b.queuePair.state() == QueuePairState.RESET)
        {
            ReliableConnection.initialise(pair.b.queuePair, pair.b.connection);
        }
        final int errno = Attributes.modify(queuePair, Attributes.valid(pair, transition.to()), STATE | mask);
        if (errno != 0 || queuePair.state() != transition.to())
        {
            wrong.add(String.format("%s mask=%x: refused with %s, now in %s",
                transition, mask, Errno.name(errno), queuePair.state()));
        }
    }

    private void expectRefused(final QueuePairState from, final QueuePairState to, final int mask)
    {
        final String before = Attributes.describe(queuePair);
        final int errno = Attributes.modify(queuePair, Attributes.valid(pair, to), STATE | mask);
        final String after = Attributes.describe(queuePair);
        if (errno != Errno.EINVAL || !after.equals(before))
        {
            wrong.add(String.format("%s->%s mask=%x: errno=%d before: %s after: %s",
                from, to, mask, errno, before, after));
            Attributes.bring(pair, from);
        }
    }

    private void expectNothingWrong()
    {
        assertEquals("", String.join("\n", wrong));
    }
}
