package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ConnectionTest
{
    private final Connection connection = new Connection(() -> false, null, null, new StagingPool(), true, 1);

    @Test
    void shouldNotLookForAnAnswerRightAfterTheQuestion()
    {
        connection.expect(true);
        assertFalse(connection.countPoll());
        assertTrue(connection.countPoll());
        assertTrue(connection.countPoll());
    }

    @Test
    void shouldLookWhereSomethingElseMayHaveCome()
    {
        connection.expect(false);
        assertTrue(connection.countPoll());
    }

    @Test
    void shouldLookForAnswersToEarlierQuestions()
    {
        connection.expect(true);
        connection.countPoll();
        connection.expect(true);
        assertTrue(connection.countPoll());
    }

    @Test
    void shouldLookWhereTheSocketIsKnownToBeReady()
    {
        connection.foundReady();
        connection.expect(true);
        assertTrue(connection.countPoll());
    }

    @Test
    void shouldNotLookRightAfterTheNextQuestion()
    {
        connection.expect(true);
        connection.countPoll();
        connection.heard(false);
        connection.expect(true);
        assertFalse(connection.countPoll());
        assertTrue(connection.countPoll());
    }
}
