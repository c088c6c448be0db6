package org.onesided.tools.kvctl.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StartNoticeTest
{
    private final AtomicLong unused = new AtomicLong(1000 << 20);

    @Test
    void shouldSayNoMoreThanAllOfIt()
    {
        final StartNotice notice = new StartNotice(100 << 20, unused::get);
        unused.addAndGet(-(300 << 20));
        assertEquals("preparing 100 MiB, 100 %", notice.progress());
    }

    @Test
    void shouldShowHowMuchMemoryIsTaken()
    {
        final StartNotice notice = new StartNotice(100 << 20, unused::get);
        assertEquals("preparing 100 MiB", notice.text());
        assertEquals(0, notice.share());
        unused.addAndGet(-(25 << 20));
        assertEquals(0.25, notice.share());
        assertEquals("preparing 100 MiB, 25 %", notice.progress());
        unused.addAndGet(50 << 20);
        assertEquals(0, notice.share(), "others gave memory back");
    }

    @Test
    void shouldShowNoBarWhereNobodyKnowsTheMemory()
    {
        assertTrue(new StartNotice(100 << 20, () -> -1).share() < 0);
        assertEquals("preparing 100 MiB", new StartNotice(100 << 20, () -> -1).progress());
    }

    @Test
    void shouldShowHowMuchIsReadBack()
    {
        final StartNotice notice = new StartNotice(100 << 20, () -> -1);
        notice.onReadBack(0, 400);
        assertEquals("reading the table back", notice.text());
        assertEquals(0, notice.share());
        notice.onReadBack(100, 400);
        assertEquals(0.25, notice.share());
    }
}
