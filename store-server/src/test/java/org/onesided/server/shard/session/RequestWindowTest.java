package org.onesided.server.shard.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.session.RequestWindow.State.BLOCKED;
import static org.onesided.server.shard.session.RequestWindow.State.DONE;
import static org.onesided.server.shard.session.RequestWindow.State.IN_PROGRESS;
import static org.onesided.server.shard.session.RequestWindow.State.NEW;
import static org.onesided.server.shard.session.RequestWindow.State.OUTSIDE;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RequestWindowTest
{
    private static final int CAPACITY = 8;

    private final RequestWindow window = new RequestWindow(CAPACITY);
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[64]);

    @Test
    void shouldRememberTheAnswersOfAWholeWindow()
    {
        for (long id = 1; id <= 3 * CAPACITY; id++)
        {
            assertEquals(NEW, window.state(id));
            done(id);
            for (long earlier = Math.max(1, id - CAPACITY + 1); earlier <= id; earlier++)
            {
                assertEquals(DONE, window.state(earlier), "id=" + id + " earlier=" + earlier);
                assertEquals(Long.BYTES, window.answer(earlier, answer));
                assertEquals(earlier, answer.getLong(0));
            }
        }
    }

    @Test
    void shouldForgetWhatTheLogDoesNotKnow()
    {
        window.logged(1, answer, 8);
        window.done(2, answer, 8);
        window.begin(3);
        window.beginLogged(4);
        window.forgetLocal();
        assertEquals(DONE, window.state(1));
        for (long id = 2; id <= 4; id++)
        {
            assertEquals(NEW, window.state(id), "id=" + id);
        }
    }

    @Test
    void shouldTellAnswersOfTheLogFromOthers()
    {
        window.done(1, answer, 8);
        assertTrue(window.isDone(1));
        assertFalse(window.isLogged(1));
        window.logged(1, answer, 8);
        assertTrue(window.isLogged(1));
        window.begin(1 + CAPACITY);
        assertFalse(window.isLogged(1));
        window.done(1 + CAPACITY, answer, 8);
        assertFalse(window.isLogged(1 + CAPACITY));
    }

    @Test
    void shouldRememberAShortAnswerWhereALongOneWas()
    {
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[64]);
        for (final int length : new int[]{16, 40, 24, 8})
        {
            final long id = length == 16 ? 1 : 1 + CAPACITY * (length / 8L);
            window.passed(id - 1);
            answer.setMemory(0, 64, (byte)length);
            window.done(id, answer, length);

            final UnsafeBuffer told = new UnsafeBuffer(new byte[64]);
            assertEquals(length, window.answer(id, told));
            assertEquals((byte)length, told.getByte(length - 1));
            assertEquals(0, told.getByte(length));
        }
    }

    @Test
    void shouldNotKnowWhatLeftTheWindow()
    {
        for (long id = 1; id <= CAPACITY + 1; id++)
        {
            done(id);
        }
        assertEquals(OUTSIDE, window.state(1));
        assertEquals(DONE, window.state(2));
    }

    @Test
    void shouldRefuseIdsThatCannotBe()
    {
        assertEquals(OUTSIDE, window.state(0));
        assertEquals(OUTSIDE, window.state(-1));
        assertEquals(OUTSIDE, window.state(Long.MIN_VALUE));
        assertEquals(OUTSIDE, window.state(Long.MAX_VALUE));
        assertEquals(OUTSIDE, window.state(CAPACITY + 1));
        assertEquals(NEW, window.state(CAPACITY));
    }

    @Test
    void shouldNotLetALaterRequestTakeThePlaceOfOneInProgress()
    {
        window.begin(1);
        for (long id = 2; id <= CAPACITY; id++)
        {
            done(id);
        }
        assertEquals(IN_PROGRESS, window.state(1));
        assertEquals(BLOCKED, window.state(CAPACITY + 1));
        done(1);
        assertEquals(NEW, window.state(CAPACITY + 1));
        assertEquals(DONE, window.state(1));
    }

    @Test
    void shouldExecuteAgainWhatWasForgottenOrPassed()
    {
        window.begin(1);
        window.forget(1);
        window.passed(2);
        assertEquals(NEW, window.state(1));
        assertEquals(NEW, window.state(2));
    }

    @Test
    void shouldTakeAnIdThatWasLeftOut()
    {
        done(3);
        assertEquals(NEW, window.state(2));
        done(2);
        assertEquals(DONE, window.state(2));
        assertEquals(DONE, window.state(3));
        assertEquals(NEW, window.state(1));
    }

    private void done(final long id)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        buffer.putLong(0, id);
        window.done(id, buffer, Long.BYTES);
    }
}
