package org.onesided.tools.kvctl.shell;

import java.util.List;

/**
 * Executes the lines of a shell.
 */
public interface LineRunner
{
    /**
     * Sets the number of the next line, for messages. Typed lines have none.
     *
     * @param number of the line, from 1.
     */
    void begin(long number);

    /**
     * Executes a line. Reports failures instead of throwing them.
     *
     * @param words of the line; at least one.
     * @return whether it succeeded.
     */
    boolean run(List<String> words);

    /**
     * Reports a line that is malformed.
     *
     * @param message in one line.
     */
    void refuse(String message);

    /**
     * Finds completions of a word.
     *
     * @param words  typed so far.
     * @param index  of the word.
     * @param cursor in the word.
     * @return all words that begin with the text before the cursor.
     */
    List<String> complete(List<String> words, int index, int cursor);
}
