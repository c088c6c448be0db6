package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;

/**
 * What a stranger would have to guess is not to be counted up to. Packet sequence numbers are made here for every kind
 * of device, of which {@code ibv} sends them.
 */
class UnpredictableNumbersTest
{
    private static final int COUNT = 200;
    /** Of 24 bits each: by chance hardly ever two of them are the same, and never so many. */
    private static final int MOST_ALIKE = 10;
    private static final int MASK = 0xFF_FFFF;
    private static final ConnectionOptions OPTIONS =
        ConnectionOptions.defaults(Access.REMOTE_READ).port(1).gidIndex(0);

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0"})
    void shouldNumberQueuePairsAndPacketsInNoOrder(final String device)
    {
        final List<AutoCloseable> opened = new ArrayList<>();
        final List<Endpoint> endpoints = new ArrayList<>();
        try (Context context = Devices.find(device).open();
            ProtectionDomain domain = context.allocateProtectionDomain();
            CompletionQueue queue = context.createCompletionQueue(16, null, 0))
        {
            try
            {
                for (int i = 0; i < COUNT; i++)
                {
                    final QueuePair queuePair = domain.createQueuePair(
                        new QueuePairInitAttributes(queue, queue, null, 1, 1, 1, 1, 0, false, true));
                    opened.add(queuePair);
                    endpoints.add(ReliableConnection.local(context, queuePair, OPTIONS));
                }
            }
            finally
            {
                CloseHelper.closeAll(opened);
            }
        }
        final List<Integer> numbers = endpoints.stream().map(Endpoint::queuePairNumber).toList();
        assertEquals(COUNT, Set.copyOf(numbers).size());
        assertUnordered(numbers);
        assertUnordered(endpoints.stream().map(Endpoint::psn).toList());
        // With the secrets.
        assertEquals(COUNT, endpoints.stream().map(Endpoint::deviceBytes).map(Arrays::toString).distinct().count());
    }

    /** Neither the numbers repeat themselves, nor the steps between them. */
    private static void assertUnordered(final List<Integer> numbers)
    {
        final Set<Integer> steps = new HashSet<>();
        for (int i = 1; i < numbers.size(); i++)
        {
            steps.add(numbers.get(i) - numbers.get(i - 1) & MASK);
        }
        assertTrue(new HashSet<>(numbers).size() >= numbers.size() - MOST_ALIKE, numbers.toString());
        assertTrue(steps.size() >= numbers.size() - 1 - MOST_ALIKE, numbers.toString());
    }
}
