package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.NativeArray;

class ReadyListTest
{
    private static final int MANY = 200;

    private final NativeArray memory = new NativeArray(Marks.LENGTH);
    private final Marks marks = new Marks(memory.range().address(), 1, () -> { });
    private final ReadyList list = new ReadyList(() -> marks);

    /** Counts what is asked of it. */
    private static final class Source implements ReadyList.Source
    {
        private final int mark;
        private boolean mayRest = true;
        private boolean isResting;
        private boolean isBusy;
        private int looks;
        private int refreshes;

        Source(final int mark)
        {
            this.mark = mark;
        }

        @Override
        public boolean progress()
        {
            looks++;
            return isBusy;
        }

        @Override
        public int mark()
        {
            return mark;
        }

        @Override
        public boolean isResting()
        {
            return isResting;
        }

        @Override
        public boolean tryRest()
        {
            isResting = mayRest && mark != Marks.NONE;
            return isResting;
        }

        @Override
        public void endRest()
        {
            isResting = false;
        }

        @Override
        public void refreshArmed()
        {
            refreshes++;
        }

        @Override
        public long waitLeftNs(final long nowNs)
        {
            return 1000;
        }
    }

    @AfterEach
    void free()
    {
        list.close();
        memory.close();
    }

    private List<Source> sources(final int count)
    {
        final List<Source> sources = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final Source source = new Source(list.acquire());
            sources.add(source);
            list.add(source);
        }
        return sources;
    }

    private void makeAllRest()
    {
        for (int i = 0; i <= ReadyList.PATIENCE + ReadyList.PATIENCE_WITH_MANY; i++)
        {
            list.progress();
        }
    }

    @Test
    void shouldGiveEachAMarkButTheFirst()
    {
        final Set<Integer> seen = new HashSet<>();
        final List<Source> sources = sources(MANY);
        for (int i = 0; i < MANY; i++)
        {
            assertEquals(i < ReadyList.NEVER_RESTING, sources.get(i).mark == Marks.NONE);
            assertTrue(i < ReadyList.NEVER_RESTING || seen.add(sources.get(i).mark));
        }
        list.remove(sources.get(100));
        list.release(sources.get(100).mark);
        assertEquals(sources.get(100).mark, list.acquire());
    }

    @Test
    void shouldLookOnlyAtThoseThatDoNotRest()
    {
        final List<Source> sources = sources(MANY);
        sources.get(50).isBusy = true;
        sources.get(60).mayRest = false;
        makeAllRest();
        assertEquals(ReadyList.NEVER_RESTING + 2, list.watchedCount());

        final int before = sources.get(70).looks;
        list.progress();
        list.publishWakeUps(1);
        assertEquals(before, sources.get(70).looks);
        assertEquals(0, sources.get(70).refreshes);
        assertEquals(1, sources.get(50).refreshes);
        assertEquals(1, marks.takeWakeUps(-1));
        assertEquals(0, marks.takeWakeUps(-1));
    }

    @Test
    void shouldLookAgainAtOnesThatAreMarked()
    {
        final List<Source> sources = sources(MANY);
        makeAllRest();
        for (final int i : new int[]{8, 71, 72, 73, MANY - 1})
        {
            assertEquals(1000, list.waitLeftNs(0));
            final int before = sources.get(i).looks;
            marks.set(sources.get(i).mark);
            marks.set(sources.get(i).mark);
            assertEquals(1, list.waitLeftNs(0));
            list.progress();
            assertFalse(sources.get(i).isResting);
            assertEquals(before + 1, sources.get(i).looks);
        }
        assertEquals(ReadyList.NEVER_RESTING + 5, list.watchedCount());
    }

    @Test
    void shouldPassOverMarksThatMeanNothing()
    {
        final List<Source> sources = sources(MANY);
        makeAllRest();
        list.remove(sources.get(100));
        marks.set(sources.get(100).mark);
        marks.set(MANY - ReadyList.NEVER_RESTING + 1);
        list.progress();
        assertEquals(ReadyList.NEVER_RESTING, list.watchedCount());
    }

    @Test
    void shouldRemoveWatchedAndRestingOnes()
    {
        final List<Source> sources = sources(MANY);
        list.remove(sources.get(3));
        list.remove(sources.get(90));
        makeAllRest();
        list.remove(sources.get(91));
        list.wakeAll();
        assertEquals(MANY - 3, list.watchedCount());
        final int before = sources.get(90).looks;
        list.progress();
        assertEquals(before, sources.get(90).looks);
        assertEquals(Marks.NONE, list.acquire());
    }

    @Test
    void shouldLookAtAllEverySoOften()
    {
        final List<Source> sources = sources(MANY);
        makeAllRest();
        final int before = sources.get(150).looks;
        for (int i = 0; i < 1 << 16; i++)
        {
            list.progress();
        }
        assertTrue(sources.get(150).looks > before);
    }

    @Test
    void shouldWatchAllWithoutMarks()
    {
        final ReadyList without = new ReadyList(() -> null);
        for (int i = 0; i < MANY; i++)
        {
            assertEquals(Marks.NONE, without.acquire());
            without.add(new Source(Marks.NONE));
        }
        for (int i = 0; i < 2 * ReadyList.PATIENCE; i++)
        {
            without.progress();
        }
        assertEquals(MANY, without.watchedCount());
        without.publishWakeUps(1);
        assertEquals(1000, without.waitLeftNs(0));
        without.close();
    }
}
