/**
 * Files of Java properties, read so that each mistake can be told with its line.
 */
package org.onesided.tools.settings;
