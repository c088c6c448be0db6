package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardWakingTest
{
    /** A log may have news before its shard is there, and after it is closed. */
    @Test
    void shouldWakeShardsOnlyWhileTheyAreThere()
    {
        final List<Integer> woken = new ArrayList<>();
        final ShardWaking waking = new ShardWaking();
        waking.wakeUp(1);
        try (ShardWaking begun = waking.begin(woken::add))
        {
            begun.wakeUp(2);
            waking.wakeUp(3);
        }
        waking.wakeUp(4);
        assertEquals(List.of(2, 3), woken);
    }
}
