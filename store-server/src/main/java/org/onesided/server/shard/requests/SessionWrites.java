package org.onesided.server.shard.requests;

import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.session.ShardSession;

/**
 * Carries out the writes of one queue pair whose messages hold all of them: executes each at once and answers it, or
 * proposes it if the table has a log. Belongs to the shard's thread.
 */
final class SessionWrites
{
    private final ShardSession session;
    private final Workbench workbench;
    private final RequestExecutor executor;
    private final LoggedShard log;
    private final Answers answers;
    private final LoggedRequests logged;

    /**
     * @param session   whose requests these are.
     * @param workbench of the shard.
     * @param answers   of the queue pair.
     * @param logged    requests of the queue pair that wait for the log; null if there is none.
     */
    SessionWrites(
        final ShardSession session, final Workbench workbench, final Answers answers, final LoggedRequests logged)
    {
        this.session = session;
        this.workbench = workbench;
        this.answers = answers;
        this.logged = logged;
        executor = workbench.executor();
        log = workbench.log();
    }

    /** Whether a put, increment, append or touch is done, or in the log; if not, there is no room yet. */
    boolean write(final Request request)
    {
        return log == null ? put(request) : logged.propose(request);
    }

    private boolean put(final Request request)
    {
        final int length = request.isBatch() ?
            executor.batches().execute(request, session.window(), workbench.answer()) :
            request.isComputed() ? executor.compute(request, workbench.answer()) :
            request.kind() == RequestKind.TOUCH ? executor.touch(request, workbench.answer()) :
            executor.put(request, workbench.answer());
        if (length == RequestExecutor.WAIT)
        {
            return false;
        }
        answers.once(request.kind(), request, length);
        return true;
    }

    /** Whether a delete is done, or in the log; if not, the log has no room for it yet. */
    boolean delete(final Request request)
    {
        if (log != null)
        {
            return logged.propose(request);
        }
        answers.once(RequestKind.DELETE, request, executor.delete(request, workbench.answer()));
        return true;
    }
}
