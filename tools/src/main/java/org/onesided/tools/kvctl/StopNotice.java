package org.onesided.tools.kvctl;

/**
 * Says how far a command is when the process is told to stop (SIGTERM, SIGINT, SIGHUP) in the midst of it. The command
 * itself is not waited for, since it may wait for input that does not come.
 */
final class StopNotice implements AutoCloseable
{
    private final Thread hook;

    private StopNotice(final Thread hook)
    {
        this.hook = hook;
    }

    /**
     * @param tell says it; runs in a thread of its own.
     */
    static StopNotice install(final Runnable tell)
    {
        final StopNotice notice = new StopNotice(new Thread(tell, "kvctl-stop"));
        Runtime.getRuntime().addShutdownHook(notice.hook);
        return notice;
    }

    /** Says that the command is done. */
    @Override
    public void close()
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException e)
        {
            // The process is ending, and the hook runs.
            return;
        }
    }
}
