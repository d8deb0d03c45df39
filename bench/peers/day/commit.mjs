/** Runs each piece of work in a transaction of its own; rejects, with nothing written, when the work throws. */
export const singleCommits = (db) => {
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) => db.prepare(sql));
  return async (work) => {
    begin.run();
    try {
      const value = work();
      commit.run();
      return value;
    } catch (error) {
      rollback.run();
      throw error;
    }
  };
};

/** Group commit: what the requests of one turn want is one transaction, each in a savepoint; all are answered after it. */
export const groupCommits = (db) => {
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) => db.prepare(sql));
  const [save, release, back] = ['SAVEPOINT one', 'RELEASE one', 'ROLLBACK TO one'].map((sql) => db.prepare(sql));
  let queue = [];
  const outcomeOf = ({ work, resolve, reject }) => {
    save.run();
    try {
      const value = work();
      release.run();
      return () => resolve(value);
    } catch (error) {
      back.run();
      release.run();
      return () => reject(error);
    }
  };
  const flush = () => {
    const batch = queue;
    queue = [];
    let isOpen = false;
    try {
      begin.run();
      isOpen = true;
      const outcomes = batch.map(outcomeOf);
      commit.run();
      for (const tell of outcomes) tell();
    } catch (error) {
      if (isOpen) rollback.run();
      for (const { reject } of batch) reject(error);
    }
  };
  return (work) =>
    new Promise((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush);
      queue.push({ work, resolve, reject });
    });
};
